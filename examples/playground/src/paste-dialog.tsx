import { useEffect, useRef, useState } from 'preact/hooks';
import type { Case } from './case.js';
import type { Problem } from './engine.js';
import { ProblemBox } from './problem-box.js';

/** More than this is kept beside the field: it would hold up the page to show it. */
const MAX_SHOWN = 200_000;

interface Props {
  open: boolean;
  onClose: () => void;
  update: (change: (before: Case) => Case) => void;
  /** Says what was read, after the dialog is closed. */
  onRead: (what: string, remarks: string[]) => void;
}

/** Takes whatever describes a deployment or a preference. */
export function PasteDialog({ open, onClose, update, onRead }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const [large, setLarge] = useState<string>();
  const [problem, setProblem] = useState<Problem>();

  useEffect(() => {
    if (open && !dialog.current!.open) dialog.current!.showModal();
    if (!open && dialog.current!.open) dialog.current!.close();
  }, [open]);

  const read = async () => {
    // The parsers are larger than the rest of the page, and not needed before.
    const { recognise } = await import('./recognise.js');
    const { answer, problem: wrong } = recognise(large ?? text);
    setProblem(wrong);
    if (answer === undefined) return;
    update(answer.change);
    onRead(answer.what, answer.remarks);
    setText('');
    setLarge(undefined);
    onClose();
  };

  return (
    <dialog ref={dialog} class="paste" aria-labelledby="paste-title" onClose={onClose}>
      <form
        method="dialog"
        onSubmit={(event) => {
          event.preventDefault();
          void read();
        }}
      >
        <h2 id="paste-title">Paste your cluster, or your read preference</h2>
        <p class="hint">
          A connection string · <code>db.hello()</code>, <code>rs.status()</code> and <code>rs.conf()</code> as mongosh prints them, or through <code>EJSON.stringify</code> · what a driver logs of
          its topology · a topology description · a saved request · a <code>$readPreference</code> · <code>setReadPref("secondary", …)</code>. It stays in this page.
        </p>
        <label class="field">
          <span class="hidden">What to read</span>
          <textarea
            rows={12}
            spellcheck={false}
            autocomplete="off"
            value={large === undefined ? text : ''}
            placeholder={large === undefined ? 'mongodb://db1.example,db2.example/?replicaSet=rs0&readPreference=nearest' : `${large.length} characters, kept out of sight`}
            onPaste={(event) => {
              const pasted = event.clipboardData?.getData('text') ?? '';
              if (pasted.length < MAX_SHOWN) return;
              event.preventDefault();
              setLarge(pasted);
              setText('');
            }}
            onInput={(event) => {
              setLarge(undefined);
              setProblem(undefined);
              setText(event.currentTarget.value);
            }}
          />
        </label>
        {problem !== undefined && <ProblemBox alert title="This cannot be read" problem={problem} />}
        <div class="dialog-end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="main">
            Read it
          </button>
        </div>
      </form>
    </dialog>
  );
}
