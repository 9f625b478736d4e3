/** The agenda of a simulated world: a binary heap of tasks by time, and by the order of planning at the same time. */

export interface Task {
  readonly at: number;
  readonly order: number;
  /** Undefined if the task was cancelled. */
  act: (() => void) | undefined;
}

const isBefore = (a: Task, b: Task): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

export class Agenda {
  private readonly heap: Task[] = [];

  push(task: Task): void {
    const { heap } = this;
    let at = heap.length;
    heap.push(task);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const other = heap[above];
      if (other === undefined || !isBefore(task, other)) break;
      heap[at] = other;
      at = above;
    }
    heap[at] = task;
  }

  pop(): Task | undefined {
    const { heap } = this;
    const [top] = heap;
    const last = heap.pop();
    if (top === undefined || last === undefined || heap.length === 0) return top;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      let other = heap[below];
      const right = heap[below + 1];
      if (other === undefined) break;
      if (right !== undefined && isBefore(right, other)) {
        below++;
        other = right;
      }
      if (!isBefore(other, last)) break;
      heap[at] = other;
      at = below;
    }
    heap[at] = last;
    return top;
  }
}
