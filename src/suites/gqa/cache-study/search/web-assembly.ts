/** What is used of WebAssembly, which Node has and its types leave out. */
interface WebAssemblyApi {
  readonly Memory: new (settings: { initial: number; maximum: number }) => WasmMemory;
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
}

export interface WasmMemory {
  readonly buffer: ArrayBuffer;
  /** Adds pages of 64 KiB. */
  grow(pages: number): number;
}

export interface WasmGlobal {
  value: number;
}

export const { WebAssembly: wasm } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
