/**
 * The bytes of a stream in one buffer, which doubles when it is full. A list of chunks would cost
 * hundreds of bytes per chunk. A chunk can also be a view that keeps its whole read buffer alive.
 */
export class GrowingBytes {
  length = 0;
  #buffer = new Uint8Array(0);

  /** Appends a copy of a chunk. */
  add(chunk: Uint8Array): void {
    const length = this.length + chunk.length;
    if (length > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#buffer.length));
      larger.set(this.bytes);
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.length);
    this.length = length;
  }

  /** View of the bytes so far. The next `add` may move the bytes to another buffer. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#buffer.subarray(0, this.length);
  }
}
