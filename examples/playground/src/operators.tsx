import { useState } from 'preact/hooks';
import { Advice } from './advice.js';
import type { Case, Topology } from './case.js';
import { Compare } from './compare.js';
import { CopyPanel } from './copy-panel.js';
import { hasMethod } from './engine.js';
import { WhatIf } from './what-if.js';

const PARTS = { 'what-if': 'What if', advice: 'Advice', compare: 'Compare', code: 'In your code', text: 'As text' };
type Part = keyof typeof PARTS;

interface Props {
  shown: Case;
  topology: Topology;
  text: string | undefined;
  update: (change: (before: Case) => Case) => void;
}

/** What operators ask beside "which member": one question at a time. */
export function Operators({ shown, topology, text, update }: Props) {
  const [part, setPart] = useState<Part>('what-if');
  const parts = (Object.keys(PARTS) as Part[]).filter((each) => (each !== 'compare' || hasMethod('diff')) && (each !== 'text' || text !== undefined));
  const chosen = parts.includes(part) ? part : 'what-if';
  return (
    <section class="panel" aria-labelledby="operators-title">
      <h2 id="operators-title" class="hidden">
        Questions of operators
      </h2>
      <div class="tabs part-tabs" role="tablist" aria-labelledby="operators-title">
        {parts.map((each, i) => (
          <button
            type="button"
            role="tab"
            key={each}
            id={`tab-${each}`}
            aria-selected={each === chosen}
            aria-controls={each === chosen ? 'part' : undefined}
            tabIndex={each === chosen ? 0 : -1}
            onClick={() => setPart(each)}
            onKeyDown={(event) => {
              const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
              if (by === 0) return;
              event.preventDefault();
              const next = parts[(i + by + parts.length) % parts.length]!;
              setPart(next);
              document.getElementById(`tab-${next}`)?.focus();
            }}
          >
            {PARTS[each]}
          </button>
        ))}
      </div>
      <div id="part" role="tabpanel" aria-labelledby={`tab-${chosen}`} class="part">
        {chosen === 'what-if' && <WhatIf shown={shown} topology={topology} update={update} />}
        {chosen === 'advice' && <Advice shown={shown} topology={topology} update={update} />}
        {chosen === 'compare' && <Compare shown={shown} topology={topology} update={update} />}
        {chosen === 'code' && <CopyPanel shown={shown} />}
        {chosen === 'text' && (
          <pre tabIndex={0} role="region" aria-label="Explanation as text">
            {text}
          </pre>
        )}
      </div>
    </section>
  );
}
