/** The package has no types of its own. */
declare module '@foxglove/wasm-lz4' {
  const decompress: {
    (bytes: Uint8Array, declaredSize: number): Uint8Array;
    isLoaded: Promise<unknown>;
  };
  export default decompress;
}
