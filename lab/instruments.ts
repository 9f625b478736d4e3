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
  { script: 'cost', prints: /A month at rest/ },
  { script: 'simulate', args: ['wide-fan-out', '--scale', '0.02'], prints: /wide-fan-out/ },
  { script: 'bench', args: ['latency', '--rounds', '1'], prints: /latency.* 1 rounds/ },
  { script: 'attack', args: ['--ports'], prints: /No findings/ },
  {
    script: 'mutate',
    args: ['shared/deliveries/schedule.ts', '--tests', 'test/unit/schedule.test.ts', '--concurrency', '1'],
    prints: /mutants, \d+ not detected/,
  },
  { script: 'recipes', prints: /Algolia: accepted/ },
];

export const withJudges: readonly Instrument[] = [
  { script: 'supply-chain', prints: /npm audit/ },
  { script: 'judges', prints: /cdk-nag: \d+ findings/ },
  { script: 'sam', args: ['--validate'], prints: /valid SAM Template|cannot be installed/ },
  { script: 'schemathesis', args: ['--max-examples', '1', '--phases', 'examples'], prints: /Schemathesis|skipped/ },
  { script: 'ghost', prints: /All cases hold|Skipped/ },
  { script: 'dynamodb', args: ['webhook-store'], prints: /calls, \d+ of them differ|skipped/ },
  { script: 'rehearse', prints: /Destroy|skipped/ },
];
