/** Keys in their order, in chunks, so that putting one among 100,000 moves only a few. */

const fullChunk = 512;

export class SortedKeys {
  private chunks: string[][] = [[]];

  /** Puts a key in; one that is there already stays there once. */
  add(key: string): void {
    const { chunk, position } = this.find(key);
    const keys = this.chunks[chunk] ?? [];
    if (keys[position] === key) return;
    keys.splice(position, 0, key);
    if (keys.length > fullChunk) this.chunks.splice(chunk + 1, 0, keys.splice(keys.length / 2));
  }

  delete(key: string): void {
    const { chunk, position } = this.find(key);
    const keys = this.chunks[chunk] ?? [];
    if (keys[position] !== key) return;
    keys.splice(position, 1);
    if (keys.length === 0 && this.chunks.length > 1) this.chunks.splice(chunk, 1);
  }

  first(): string | undefined {
    return this.chunks[0]?.[0];
  }

  /** Yields the keys from this one on, itself included, upwards or downwards. */
  *from(key: string, isDownwards: boolean): Generator<string> {
    let { chunk, position } = this.find(key);
    if (isDownwards && this.chunks[chunk]?.[position] !== key) position--;
    for (; chunk >= 0 && chunk < this.chunks.length; chunk += isDownwards ? -1 : 1) {
      const keys = this.chunks[chunk] ?? [];
      for (; position >= 0 && position < keys.length; position += isDownwards ? -1 : 1) yield keys[position] ?? '';
      position = isDownwards ? (this.chunks[chunk - 1]?.length ?? 0) - 1 : 0;
    }
  }

  /** Finds the chunk for a key, and in it the position of the first key that is not below it. */
  private find(key: string): { chunk: number; position: number } {
    const chunk = lowest(this.chunks.length - 1, (at) => (this.chunks[at]?.at(-1) ?? '') >= key);
    const keys = this.chunks[chunk] ?? [];
    return { chunk, position: lowest(keys.length, (at) => (keys[at] ?? '') >= key) };
  }
}

/** Returns the lowest number below `end` for which something holds, and `end` where it holds for none. */
function lowest(end: number, holds: (at: number) => boolean): number {
  let [from, to] = [0, end];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
}
