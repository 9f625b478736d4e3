/** Mistakes that the simulation must detect: each is applied to the source of the product when it is bundled. */
import type { Mutate } from '../world/bundle.ts';

export interface Mutant {
  readonly name: string;
  /** The mutated file, below the root. */
  readonly path: string;
  readonly replaced: RegExp;
  readonly by: string;
}

const delivered = `Promise.resolve({ outcome: 'answered', status: 200, headers: {}, excerpt: '', complete: true, durationMs: 20, timings: {} })`;

export const mutants: readonly Mutant[] = [
  {
    name: '3 % are recorded as delivered without being posted',
    path: 'shared/deliveries/attempt/deliver.ts',
    replaced: /options\.sender\.send\(/,
    by: `(Math.random() < 0.03 ? () => ${delivered} : options.sender.send)(`,
  },
  {
    name: 'an attempt is made whether or not it is the next one',
    path: 'shared/deliveries/attempt/decide.ts',
    replaced: /!isNext\(delivery, message, now\)/,
    by: 'false',
  },
  {
    name: 'an attempt is made whether or not the delivery has ended',
    path: 'shared/deliveries/attempt/decide.ts',
    replaced: /!isUnfinished\(delivery\) \|\| /,
    by: '',
  },
  {
    name: 'a step is recorded whatever the table knows meanwhile',
    path: 'shared/deliveries/records/store.ts',
    replaced: /put\(\{ \.\.\.itemOf\(after, due\), step \}, anyOf\(missing\(\), hasNotGoneFurther\)\)/,
    by: 'put({ ...itemOf(after, due), step })',
  },
  {
    name: 'each success releases what waits, not only one that closes the circuit breaker',
    path: 'shared/deliveries/attempt/findings.ts',
    replaced: /if \(hasClosed\)/,
    by: 'if (found.some(({ outcome }) => outcome?.ok === true))',
  },
];

/** Returns a mistake as a change of a source, which throws an Error if the source does not have exactly one place for it. */
export const mutationOf = ({ name, path, replaced, by }: Mutant): Mutate => ({
  path,
  apply: (text) => {
    const places = text.match(new RegExp(replaced, 'g'))?.length ?? 0;
    if (places !== 1) throw new Error(`The mutant «${name}» has ${places} places in ${path}, and must have one.`);
    return text.replace(replaced, () => by);
  },
});
