/** A list that is filled at its end and emptied at its beginning, both in constant time. */
export class Fifo<Item> {
  private items: Item[] = [];
  private head = 0;

  get size(): number {
    return this.items.length - this.head;
  }

  push(item: Item): void {
    this.items.push(item);
  }

  peek(): Item | undefined {
    return this.items[this.head];
  }

  shift(): Item | undefined {
    if (this.size === 0) return undefined;
    const item = this.items[this.head];
    this.head++;
    if (this.head > 1000 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }

  /** Exchanges the first item with the one at this position, counted from 0. */
  swapFirst(position: number): void {
    const { items, head } = this;
    [items[head], items[head + position]] = [items[head + position] as Item, items[head] as Item];
  }

  takeAll(): Item[] {
    const all = this.items.slice(this.head);
    this.items = [];
    this.head = 0;
    return all;
  }
}
