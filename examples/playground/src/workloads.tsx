import { preferenceText } from './preference-text.js';
import type { Case } from './case.js';

/** What else is done to the deployment, beside the operation that is shown. */
export function Workloads({ shown, update }: { shown: Case; update: (change: (before: Case) => Case) => void }) {
  const { workloads, settings } = shown;
  const keep = () =>
    update((before) => ({
      ...before,
      workloads: [...before.workloads, { name: freeName(before.workloads), readPreference: settings.readPreference, operation: settings.operation }],
    }));
  return (
    <ul class="chips" aria-label="Operations beside this one">
      {workloads.map((workload, i) => (
        <li key={i}>
          <strong>{workload.name ?? `workload ${i + 2}`}</strong> {workload.operation === 'write' ? 'write' : preferenceText(workload.readPreference)}
          <button
            type="button"
            class="quiet icon"
            aria-label={`Remove ${workload.name ?? `workload ${i + 2}`}`}
            onClick={() => update((before) => ({ ...before, workloads: before.workloads.filter((_, j) => j !== i) }))}
          >
            <span aria-hidden="true">✕</span>
          </button>
        </li>
      ))}
      <li class="bare">
        <button type="button" class="quiet" onClick={keep}>
          Keep this operation to compare with
        </button>
      </li>
    </ul>
  );
}

function freeName(workloads: Case['workloads']): string {
  const names = new Set(workloads.map((workload) => workload.name));
  let number = 1;
  while (names.has(`kept ${number}`)) number++;
  return `kept ${number}`;
}
