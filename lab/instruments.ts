/** The instruments that `smallest` and `all` run, with their arguments and the output that shows that they work. */

export interface Instrument {
  /** A script of lab/package.json. */
  readonly script: string;
  readonly args?: readonly string[];
  readonly prints: RegExp;
}

/** Each instrument that needs no network, in its smallest form; those that take longest come first. */
export const smallest: readonly Instrument[] = [
  { script: 'soak', args: ['--minutes', '0.1'], prints: /orphans/ },
  { script: 'bench:recovery', args: ['receiver', '--events', '20'], prints: /from the first success to the last/ },
  { script: 'cost', prints: /A month at rest/ },
  { script: 'simulate', args: ['wide-fan-out', '--scale', '0.02'], prints: /wide-fan-out/ },
  { script: 'bench', args: ['latency', '--rounds', '1'], prints: /latency.* 1 rounds/ },
  { script: 'bench:request', prints: /p50 [\d.]+ ms/ },
  { script: 'bench:bodies', prints: /parsed/ },
  { script: 'bench:keys', prints: /read units/ },
  { script: 'bench:sender', args: ['1', '200'], prints: /CPU a request/ },
  { script: 'bench:deliver', args: ['1', '200'], prints: /CPU second/ },
  { script: 'bench:options', args: ['1', '200'], prints: /with options/ },
  { script: 'bench:engine', args: ['units'], prints: /write units a delivery/ },
  { script: 'bench:lambda', args: ['roles/list', '--memory', '512'], prints: /roles\/list|cgroups/ },
  { script: 'bench:dev', args: ['1'], prints: /response\.ts: ms from save/ },
  { script: 'bench:long', args: ['deletion'], prints: /deletion of/ },
  { script: 'attack', args: ['--ports'], prints: /No findings/ },
  { script: 'mutate', args: ['shared/table/format.ts', '--concurrency', '1'], prints: /shared\/table\/format\.ts/ },
  { script: 'recipes', prints: /Algolia: accepted/ },
];

/** Judges that are installed from registries. */
export const withJudges: readonly Instrument[] = [
  { script: 'supply-chain', prints: /npm audit/ },
  { script: 'lint:templates', prints: /cfn-lint/ },
  { script: 'judges', prints: /What other judges say/ },
  { script: 'sam', args: ['--validate'], prints: /valid SAM Template|cannot be installed/ },
  { script: 'judge:iam', prints: /iam-simulate/ },
  { script: 'schemathesis', args: ['--max-examples', '1', '--phases', 'examples'], prints: /Schemathesis|skipped/ },
  { script: 'ghost', prints: /All cases hold|Skipped/ },
  { script: 'rehearse', prints: /Destroy|skipped/ },
];
