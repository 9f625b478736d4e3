/** A value that views can read and subscribe to. */
import { useEffect, useState } from 'preact/hooks';

export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Calls `listener` after every change, until the returned function is called. */
  follow(listener: () => void): () => void;
}

/** Creates a store with its first value. */
export const createStore = <T>(first: T): Store<T> => {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      value = next;
      for (const listener of [...listeners]) listener();
    },
    follow(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};

/** Returns the value of a store, and renders the view again whenever it changes. */
export const useStore = <T>(store: Store<T>): T => {
  const [value, setValue] = useState(() => store.get());
  useEffect(() => {
    const read = () => setValue(() => store.get());
    read();
    return store.follow(read);
  }, [store]);
  return value;
};
