/** The instruments of the lab that run on demand or in `.ci/run`: how each is started in its smallest form, and what it then prints. */

export interface Instrument {
  /** The script of lab/package.json, with arguments. */
  readonly script: string;
  readonly args?: readonly string[];
  /** What it prints if it works; a figure that misses its gate on a busy machine is no failure here. */
  readonly prints: RegExp;
}

/** They need no network. */
export const smallest: readonly Instrument[] = [
  { script: 'cost', prints: /\$/ },
  { script: 'simulate', args: ['wide-fan-out', '--scale', '0.05'], prints: /wide-fan-out/ },
  { script: 'bench:request', prints: /ms/ },
  { script: 'bench:keys', prints: /read units/ },
  { script: 'bench:sender', args: ['1', '200'], prints: /%/ },
  { script: 'bench:deliver', args: ['1', '200'], prints: /%/ },
  { script: 'bench:bodies', prints: /ms/ },
  { script: 'bench', args: ['start', '--rounds', '1'], prints: /ms/ },
  { script: 'bench:lambda', args: ['roles/list', '--memory', '512'], prints: /roles\/list/ },
  { script: 'bench:engine', args: ['units'], prints: /units/ },
  { script: 'bench:long', args: ['sweep'], prints: /\d/ },
  { script: 'soak', args: ['--minutes', '0.2'], prints: /ledger|lost|deliver/ },
  { script: 'attack', prints: /refused/ },
  { script: 'mutate', args: ['shared/foundation/format.ts', '--concurrency', '1'], prints: /format\.ts/ },
];

/** They install a judge from a registry, and say so where they cannot. */
export const withJudges: readonly Instrument[] = [
  { script: 'supply-chain', prints: /vulnerabilities/ },
  { script: 'lint:templates', prints: /cfn-lint/ },
  { script: 'judge:iam', prints: /iam-simulate/ },
  { script: 'rehearse', prints: /Destroy|skipped/ },
];
