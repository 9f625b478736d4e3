/** Mistakes that the simulation must detect. Each is applied to the product's source when it is bundled. */
import type { Mutate } from '../world/bundle.ts';

export interface Mutant {
  readonly name: string;
  /** The file to change, relative to the root. */
  readonly path: string;
  readonly replaced: RegExp;
  readonly by: string;
}

const answered = `{ outcome: 'answered', status: 200, headers: {}, excerpt: '', durationMs: 20, timings: {} }`;
const delivered = `Promise.resolve(${answered})`;

export const mutants: readonly Mutant[] = [
  {
    name: '3 % of deliveries are recorded as delivered without being posted',
    path: 'shared/deliveries/attempt/deliver.ts',
    replaced: /await sender\.send\(/,
    by: `await (Math.random() < 0.03 ? () => ${delivered} : sender.send)(`,
  },
  {
    name: 'an attempt is made even if it is not the next one',
    path: 'shared/deliveries/attempt/decide.ts',
    replaced: /!isNext\(delivery, message\)/,
    by: 'false',
  },
  {
    name: 'an attempt is made even if the delivery has ended',
    path: 'shared/deliveries/attempt/decide.ts',
    replaced: /!isUnfinished\(delivery\) \|\| !isNext/,
    by: 'isUnfinished(delivery) && !isNext',
  },
  {
    name: 'a step is recorded regardless of what the table knows by then',
    path: 'shared/deliveries/records/store.ts',
    replaced: /const condition = anyOf\(missing\(\), isEarlier\);/,
    by: 'const condition = anyOf(missing(), isEarlier, is("webhook_id", after.webhook_id));',
  },
  {
    name: 'every success releases waiting deliveries, not only the first success after the circuit breaker was open',
    path: 'shared/webhooks/backlog.ts',
    replaced: / && backlog === true && releasing === undefined\s+\? \{ set: \{/,
    by: ' ? { set: { backlog: true,',
  },
  {
    name: 'an environment takes places in a row regardless of those that others have taken meanwhile',
    path: 'shared/limits/store.ts',
    replaced:
      /const item = \{ \.\.\.key, \.\.\.row, version: \(found\?\.version \?\? 0\) \+ 1, expires_at \};\n(\s+)const \{ written, refusal \} = await tryWrite\(put\(item, unchanged\(found\)\)\);/,
    by:
      'const item = { ...key, ...row, version: (found?.version ?? 0) + 1, expires_at }; ' +
      'const { written, refusal } = await tryWrite(put(item));',
  },
  {
    name: 'an environment goes on with the options that it has read, and mixes those of two revisions in an attempt',
    path: 'shared/webhooks/options-store.ts',
    replaced: /(?<=const found = )new Map<WebhookId, Options>\(\)/,
    by: '(loadOptions.kept ??= new Map())',
  },
  {
    name: 'an event that was accepted earlier supersedes a later one',
    path: 'shared/deliveries/records/windows.ts',
    replaced: /last\.holder >= delivery_id/,
    by: 'last.holder === delivery_id',
  },
];

/** Returns a mistake as a change of a source. The change throws an Error unless exactly one place matches. */
export const mutationOf = ({ name, path, replaced, by }: Mutant): Mutate => ({
  path,
  apply: (text) => {
    const places = text.match(new RegExp(replaced, 'g'))?.length ?? 0;
    if (places !== 1) throw new Error(`The mutant «${name}» has ${places} places in ${path}, and must have one.`);
    return text.replace(replaced, () => by);
  },
});
