/** What the functions of a test run asked of IAM, for `npm --prefix lab run judge:iam`: each decision once, with ids that stand for all others. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Need, needsOf, type PartitionKeys } from '../../infra/emulator/proxy/authorization.ts';
import type { Step } from '../../infra/emulator/proxy/call.ts';

/** A decision of IAM: whether a function, by its physical name, may do this. */
export interface Decision {
  readonly functionName: string;
  readonly need: Need;
}

/** Policies name partitions by how their keys begin: all ids and hashes of one length are alike. */
const withoutIds = (text: string): string =>
  text
    .replaceAll(/\b(?:[0-9a-f]{64}|[0-9a-f]{24}|[0-9a-f]{20})\b/g, (id) => '0'.repeat(id.length))
    .replaceAll(/(ADDRESS#)[^"]+/g, '$1reader@example.org');

/** Records into a folder; one recorder for each test file. */
export const recordNeeds = (folder: string) => {
  const decisions = new Set<string>();
  return {
    /** The step of the proxy that records. */
    stepFor:
      (partitionKeys: PartitionKeys): Step =>
      (call, next) => {
        for (const need of needsOf(call, partitionKeys))
          decisions.add(
            withoutIds(JSON.stringify({ functionName: call.caller, need: distinct(need) } satisfies Decision)),
          );
        return next(call);
      },
    /** Writes the file of a stage, whose names become those of the stage `local`. */
    write(stage: string, { sender, localSender }: { readonly sender: string; readonly localSender: string }): void {
      mkdirSync(folder, { recursive: true });
      const text = JSON.stringify([...decisions].map((decision) => JSON.parse(decision)))
        .replaceAll(`masthead-${stage}`, 'masthead-local')
        .replaceAll(sender, localSender)
        .replaceAll(`identity/${domainOf(sender)}"`, `identity/${domainOf(localSender)}"`);
      writeFileSync(join(folder, `${stage}.json`), text);
    },
  };
};

/** A batch names as many keys as it has items; each partition once says the same. */
const distinct = (need: Need): Need => {
  const keys = need.context['dynamodb:LeadingKeys'];
  const kinds = keys && [...new Set(keys.map(withoutIds))].toSorted();
  return { ...need, context: { ...need.context, 'dynamodb:LeadingKeys': kinds } };
};

const domainOf = (address: string): string => address.split('@').at(-1) ?? '';

/** Reads what was recorded into a folder, each decision once. */
export const readNeeds = (folder: string): readonly Decision[] => {
  const found = new Map<string, Decision>();
  for (const file of readdirSync(folder))
    for (const decision of JSON.parse(readFileSync(join(folder, file), 'utf8')) as Decision[])
      found.set(JSON.stringify(decision), decision);
  return [...found.values()];
};
