// Starts the engine, then the page.
import { render } from 'preact';
import { App } from './app.js';
import { problemOf, start } from './engine.js';
import { ProblemBox } from './problem-box.js';

const root = document.querySelector('#app')!;

try {
  await start();
  root.replaceChildren();
  render(<App />, root);
} catch (error) {
  root.replaceChildren();
  render(
    <main>
      <ProblemBox alert title="The engine does not start" problem={problemOf(error)}>
        <p>The page needs readpref.wasm beside its script, from the same web server, and a browser with WebAssembly.</p>
      </ProblemBox>
    </main>,
    root,
  );
}
