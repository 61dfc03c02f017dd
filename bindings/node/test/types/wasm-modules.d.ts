// What hosts that load WebAssembly with the program make of it.
declare module '*.wasm' {
  const module: WebAssembly.Module;
  export default module;
}
declare module '*.wasm?module' {
  const module: WebAssembly.Module;
  export default module;
}
