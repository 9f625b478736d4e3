/** Sorted keys in chunks, so that an insertion among 100,000 moves only a few. */

/** Returns the lowest number below `end` for which the test holds, or `end` if there is none. */
const lowest = (end: number, holds: (at: number) => boolean): number => {
  let [from, to] = [0, end];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (holds(middle)) to = middle;
    else from = middle + 1;
  }
  return from;
};

const fullChunk = 512;

export class SortedKeys {
  private chunks: string[][] = [[]];

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

  /** Yields the keys from this one on, inclusive, upwards or downwards. */
  *from(key: string, isDownwards: boolean): Generator<string> {
    let { chunk, position } = this.find(key);
    if (isDownwards && this.chunks[chunk]?.[position] !== key) position--;
    for (; chunk >= 0 && chunk < this.chunks.length; chunk += isDownwards ? -1 : 1) {
      const keys = this.chunks[chunk] ?? [];
      for (; position >= 0 && position < keys.length; position += isDownwards ? -1 : 1) yield keys[position] ?? '';
      position = isDownwards ? (this.chunks[chunk - 1]?.length ?? 0) - 1 : 0;
    }
  }

  /** Finds the chunk of a key, and the position of the first key that is not below it. */
  private find(key: string): { chunk: number; position: number } {
    const chunk = lowest(this.chunks.length - 1, (at) => (this.chunks[at]?.at(-1) ?? '') >= key);
    const keys = this.chunks[chunk] ?? [];
    return { chunk, position: lowest(keys.length, (at) => (keys[at] ?? '') >= key) };
  }
}
