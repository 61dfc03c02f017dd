import type { ComponentChildren } from 'preact';
import type { Problem } from './engine.js';

/** What is wrong: in the engine's words, with its code and the place in the request. */
export function ProblemBox({ title, problem, children, alert = false }: { title: string; problem: Problem; children?: ComponentChildren; alert?: boolean }) {
  return (
    <div class="problem" role={alert ? 'alert' : undefined}>
      <p class="problem-title">{title}</p>
      <p>{problem.message}</p>
      <p class="problem-where">
        <span>
          code <code>{problem.code}</code>
        </span>
        {problem.path !== '' && (
          <span>
            at <code>{problem.path}</code>
          </span>
        )}
      </p>
      {children}
    </div>
  );
}
