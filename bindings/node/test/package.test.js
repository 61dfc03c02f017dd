// The package as it is published: packed, installed elsewhere, used and
// type-checked there.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import * as readpref from 'readpref';

const root = fileURLToPath(new URL('..', import.meta.url));
const repository = join(root, '..', '..');
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');
const manifest = JSON.parse(read('package.json'));
const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
// As careful users have them.
const strictOptions = { target: 'ES2022', module: 'nodenext', strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, outDir: 'out' };
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';

/** @type {string} */
let folder;
/** @type {string} */
let filename;
/** @type {string[]} */
let packed;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'readpref-'));
  const [pack] = JSON.parse(run(npm, ['pack', '--json', '--pack-destination', folder], root));
  filename = pack.filename;
  packed = pack.files.map((/** @type {{path: string}} */ f) => f.path).sort();
  writeFileSync(join(folder, 'package.json'), '{"name":"consumer","private":true,"type":"module"}');
  // What a user without any network access gets: there are no dependencies.
  run(npm, ['install', '--offline', '--no-audit', '--no-fund', `./${filename}`], folder);
});

after(() => rmSync(folder, { recursive: true, force: true }));

/** @type {(command: string, args: string[], cwd: string) => string} */
function run(command, args, cwd) {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: 'pipe' });
  } catch (error) {
    const { stdout, stderr } = /** @type {any} */ (error);
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}

test('the version is that of the repository and of the engine', () => {
  const version = readFileSync(join(repository, 'VERSION'), 'utf8').trim();
  assert.equal(manifest.version, version);
  assert.equal(JSON.parse(read('package-lock.json')).version, version);
  assert.equal(readpref.buildInfo().version, version);
});

test('there are no dependencies, and no names of hosts in the lock file', () => {
  assert.equal(manifest.dependencies, undefined);
  // readpref/mongodb alone asks for it, and who does not use that needs none.
  assert.deepEqual(Object.keys(manifest.peerDependencies), ['mongodb']);
  assert.deepEqual(manifest.peerDependenciesMeta, { mongodb: { optional: true } });
  assert.equal(manifest.optionalDependencies, undefined);
  for (const [, host] of read('package-lock.json').matchAll(/"resolved": "https?:\/\/([^/]*)/g)) {
    assert.equal(host, 'registry.npmjs.org');
  }
});

test('the package holds what it needs, and no more', () => {
  const sources = packed.filter((path) => path.startsWith('src/'));
  assert.ok(sources.includes('src/index.js') && sources.includes('src/index.d.ts'));
  assert.ok(sources.every((path) => /^src\/(mongodb\/)?[a-z0-9-]+(\.js|\.d\.ts)$/.test(path)));
  const built = ['inflate.d.ts', 'inflate.js', 'inline-bytes.js', 'mongodb.cjs', 'mongodb.js', 'node.cjs', 'node.d.ts', 'node.js', 'readpref.wasm', ...['codes', 'index', 'inline', 'load', 'mongodb', 'wasm'].map((name) => `${name}.d.cts`)];
  assert.deepEqual(packed.filter((path) => !path.startsWith('src/')).sort(), ['LICENSE', 'README.md', 'package.json', ...built.map((name) => `dist/${name}`)].sort());
});

test('the license is that of the repository', () => {
  assert.equal(read('LICENSE'), readFileSync(join(repository, 'LICENSE'), 'utf8'));
});

test('the declarations declare what the package exports', () => {
  const declared = [...read('src/index.d.ts').matchAll(/^export (?:class|function) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual([...new Set([...declared, 'statusByCode'])].sort(), Object.keys(readpref).sort());
});

test('every function says what it throws', () => {
  const declarations = read('src/index.d.ts');
  const names = [...declarations.matchAll(/^export function (\w+)/gm)].map(([, name]) => name);
  assert.ok(names.includes('select') && names.includes('advise'));
  for (const name of names) assert.match(declarations, new RegExp(`@throws(?:(?!\\*/)[^])*\\*/\\nexport function ${name}\\b`), name);
});

test('a program runs against the installed package', () => {
  const program = `
    import { ReadPreference, Topology, select } from 'readpref';
    import { readFileSync } from 'node:fs';
    import { fileURLToPath } from 'node:url';
    const topology = new Topology({ servers: [{ address: 'a:1', type: 'RSPrimary' }, { address: 'b:1', type: 'RSSecondary' }] });
    const wasm = readFileSync(fileURLToPath(import.meta.resolve('readpref/readpref.wasm')));
    console.log(select(topology, new ReadPreference('secondary')).server.address, wasm.subarray(1, 4).toString());`;
  writeFileSync(join(folder, 'program.js'), program);
  assert.equal(run(process.execPath, ['program.js'], folder), 'b:1 asm\n');
});

test('a TypeScript program is checked and runs', () => {
  copyFileSync(join(root, 'test/types/consumer.ts'), join(folder, 'consumer.ts'));
  const compilerOptions = {
    ...strictOptions,
    skipLibCheck: false,
    lib: ['ES2022', 'DOM'], // for console
    types: [],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['consumer.ts'] }));
  run(process.execPath, [compiler, '-p', '.'], folder);
  assert.deepEqual(JSON.parse(run(process.execPath, ['out/consumer.js'], folder)), {
    address: 'b.example:27017',
    code: 'maxStalenessWithPrimary',
    normal: 'nearest',
    version: manifest.version,
    results: ['one b.example:27017', 'two b.example:27017'],
    counts: [1, 0],
    timedOut: true,
  });
});

for (const driver of ['mongodb', 'mongodb-6']) {
  test(`a TypeScript program with ${driver} is checked and runs`, () => {
    const modules = join(folder, 'node_modules', 'mongodb');
    symlinkSync(join(root, 'node_modules', driver), modules, 'junction');
    try {
      // As a module, and as CommonJS.
      const kinds = ['mts', 'cts'];
      for (const kind of kinds) copyFileSync(join(root, 'test/types/with-mongodb.ts'), join(folder, `with-mongodb.${kind}`));
      const compilerOptions = {
        ...strictOptions,
        skipLibCheck: true, // the driver's own need more than they say
        lib: ['ES2022', 'ESNext.Disposable', 'DOM'],
        types: ['node'],
        typeRoots: [join(root, 'node_modules/@types')],
      };
      writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: kinds.map((kind) => `with-mongodb.${kind}`) }));
      run(process.execPath, [compiler, '-p', '.'], folder);
      for (const kind of ['mjs', 'cjs']) assert.equal(run(process.execPath, [`out/with-mongodb.${kind}`], folder), 'noServerAvailable secondary\n');
    } finally {
      rmSync(modules, { recursive: true });
    }
  });
}

test('without the driver readpref/mongodb says what is missing', () => {
  writeFileSync(join(folder, 'driverless.js'), "import 'readpref/mongodb';");
  assert.throws(() => run(process.execPath, ['driverless.js'], folder), /Cannot find module 'mongodb'/);
});

test('the declarations need nothing but the language', () => {
  const program = "import { Topology } from 'readpref';\nexport const select = (topology: Topology) => topology.select('nearest', { signal: null });\n";
  writeFileSync(join(folder, 'bare.ts'), program);
  run(process.execPath, [compiler, '--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2022', '--module', 'nodenext', 'bare.ts'], folder);
});

test('older module resolution finds the declarations, too', () => {
  writeFileSync(join(folder, 'old.ts'), "import { ReadPreference } from 'readpref';\nexport const mode: string = new ReadPreference().mode;\n");
  for (const resolution of ['node10', 'bundler']) {
    run(process.execPath, [compiler, '--strict', '--noEmit', '--target', 'es2022', '--module', 'es2022', '--moduleResolution', resolution, 'old.ts'], folder);
  }
});

test('CommonJS programs require it, and share all with import', () => {
  const program = `
    const required = require('readpref');
    const topology = new required.Topology({ servers: [{ address: 'a:1', type: 'RSPrimary' }] }, {});
    Promise.all(['readpref', 'readpref/load', 'readpref/inline'].map((name) => import(name))).then((imported) => {
      for (const name of Object.keys(required)) {
        const isStart = name === 'init' || name === 'initSync';
        if (!isStart && imported.some((module) => module[name] !== required[name])) console.log(name, 'differs');
      }
      console.log(imported[0].select(topology).server.address, required.ReadPrefError === require('readpref/load').ReadPrefError);
    });`;
  writeFileSync(join(folder, 'old.cjs'), program);
  assert.equal(run(process.execPath, ['old.cjs'], folder), 'a:1 true\n');
});

test('the packed package is small', () => {
  assert.ok(statSync(join(folder, filename)).size < 1.8e6);
  // What a bundler makes of it for a browser: the file beside it, and not readpref/inline. Node.js has Chromium's zlib, which finds
  // less with a larger memory; gzip -9 makes it smaller still.
  const bundle = buildSync({ absWorkingDir: root, entryPoints: ['src/browser.js'], bundle: true, minify: true, format: 'esm', conditions: ['browser'], write: false });
  const shipped = [bundle.outputFiles[0].contents, readFileSync(join(root, 'dist/readpref.wasm'))].map((bytes) => gzipSync(bytes, { level: 9, memLevel: 7 }).length);
  assert.ok(shipped[0] + shipped[1] < 800e3, String(shipped));
});

test('it starts in less than 100 ms of processor time', () => {
  const program = `
    import { Topology } from 'readpref';
    new Topology({ servers: [{ address: 'a:1', type: 'RSPrimary' }] }).selectSync();
    const { user, system } = process.cpuUsage();
    console.log((user + system) / 1000);`;
  writeFileSync(join(folder, 'start.js'), program);
  writeFileSync(join(folder, 'nothing.js'), 'const { user, system } = process.cpuUsage();\nconsole.log((user + system) / 1000);');
  /** The least of some: other programs on the machine make it more. @param {string} file */
  const least = (file) => Math.min(...Array.from({ length: 5 }, () => Number(run(process.execPath, [file], folder))));
  const nothing = least('nothing.js');
  const start = least('start.js') - nothing;
  // Node.js alone takes 40 ms on a machine that does nothing else, and more where caches are shared with others.
  assert.ok(start < 100 * Math.max(1, nothing / 40), `${start} ms beside ${nothing} ms`);
});

test('a package without its module says so', () => {
  const installed = join(folder, 'node_modules', 'readpref', 'dist', 'readpref.wasm');
  const moved = readFileSync(installed);
  rmSync(installed);
  try {
    writeFileSync(join(folder, 'missing.js'), "import { buildInfo } from 'readpref';\ntry { buildInfo(); } catch (e) { console.log(e.name, e.code, e.message); }");
    assert.match(run(process.execPath, ['missing.js'], folder), /^ReadPrefError internal .*readpref\.wasm is missing/);
  } finally {
    writeFileSync(installed, moved);
  }
});
