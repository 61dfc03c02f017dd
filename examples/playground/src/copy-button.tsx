import { useState } from 'preact/hooks';
import { BrokenLink } from './hash.js';

/** Copies a text, and says whether that worked: without a secure origin browsers refuse it. */
export function CopyButton({ text, what, label = 'Copy' }: { text: string | (() => string | Promise<string>); what: string; label?: string }) {
  const [said, setSaid] = useState('');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text());
      setSaid('Copied');
    } catch (error) {
      setSaid(error instanceof BrokenLink ? error.message : 'Not allowed here: select it, and copy by keyboard');
    }
    setTimeout(() => setSaid(''), 3000);
  };
  return (
    <span class="copy">
      <button type="button" onClick={copy}>
        {label}
        <span class="hidden"> {what}</span>
      </button>
      <span role="status" class="hint">
        {said}
      </span>
    </span>
  );
}
