/** readpref.wasm: what an import of it gives is the host's or the bundler's to say, a WebAssembly.Module or a URL. */
declare const module: unknown;
export default module;
