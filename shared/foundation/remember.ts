/** Keeps what is made of the same few things again and again. */

/** So many; then all are forgotten, and the busy ones are soon there again. */
const most = 1000;

/** Gives what `make` makes of a key, made once as long as it is remembered. @throws whatever `make` throws, which is not remembered */
export const remembered = <T extends object | string | null>(make: (key: string) => T): ((key: string) => T) => {
  const known = new Map<string, T>();
  return (key) => {
    const found = known.get(key);
    if (found !== undefined) return found;
    const made = make(key);
    if (known.size >= most) known.clear();
    known.set(key, made);
    return made;
  };
};
