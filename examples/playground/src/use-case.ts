// The case that the page shows, kept in the hash of its URL: a link reproduces it, and "back" undoes.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { Case } from './case.js';
import { BrokenLink, fromHash, toHash } from './hash.js';
import { PRESETS, presetById } from './presets.js';

/** After so long without a change the hash is written: a drag is one change. */
const SETTLED_MS = 300;

export interface CaseState {
  shown: Case;
  /** Which preset it began with, where nothing was changed since. */
  preset: string | undefined;
  /** Why the link that the page was opened with could not be read. */
  brokenLink: string | undefined;
  update: (change: (before: Case) => Case) => void;
  replace: (next: Case, preset?: string) => void;
}

export function useCase(): CaseState | undefined {
  const [state, setState] = useState<{ shown: Case; preset: string | undefined; brokenLink: string | undefined }>();
  /** What the page wrote itself, and need not read. */
  const written = useRef<string | undefined>(undefined);

  useEffect(() => {
    let closed = false;
    const read = async () => {
      if (location.hash === written.current) return;
      const next = await caseOf(location.hash);
      if (!closed) setState(next);
    };
    void read();
    window.addEventListener('hashchange', read);
    return () => {
      closed = true;
      window.removeEventListener('hashchange', read);
    };
  }, []);

  useEffect(() => {
    if (state === undefined || state.brokenLink !== undefined) return;
    const timer = setTimeout(async () => {
      let hash;
      try {
        hash = state.preset === undefined ? `#${await toHash(state.shown)}` : `#preset=${state.preset}`;
      } catch {
        return; // It is too large, which "Copy a link" says when somebody wants one.
      }
      if (hash === location.hash || (location.hash === '' && state.preset === PRESETS[0]!.id)) return;
      written.current = hash;
      history.pushState(null, '', hash);
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [state]);

  useEffect(() => {
    // Going back and forth changes the hash without a change of the page's own.
    const forget = () => {
      written.current = undefined;
    };
    window.addEventListener('popstate', forget);
    return () => window.removeEventListener('popstate', forget);
  }, []);

  const update = useCallback((change: (before: Case) => Case) => setState((before) => before && { shown: change(before.shown), preset: undefined, brokenLink: undefined }), []);
  const replace = useCallback((shown: Case, preset?: string) => setState({ shown, preset, brokenLink: undefined }), []);
  return state && { ...state, update, replace };
}

async function caseOf(hash: string): Promise<{ shown: Case; preset: string | undefined; brokenLink: string | undefined }> {
  const first = PRESETS[0]!;
  if (hash === '' || hash === '#') return { shown: first.make(), preset: first.id, brokenLink: undefined };
  const preset = /^#preset=(.*)$/.exec(hash);
  if (preset !== null) {
    const found = presetById(preset[1]!);
    if (found !== undefined) return { shown: found.make(), preset: found.id, brokenLink: undefined };
    return { shown: first.make(), preset: first.id, brokenLink: `there is no preset ${JSON.stringify(preset[1]!.slice(0, 40))}` };
  }
  try {
    return { shown: await fromHash(hash), preset: undefined, brokenLink: undefined };
  } catch (error) {
    return { shown: first.make(), preset: first.id, brokenLink: error instanceof BrokenLink ? error.message : String(error) };
  }
}
