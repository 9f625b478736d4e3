/**
 * `npm --prefix lab run judges`: cfn-lint, checkov, and cdk-nag's packs for NIST 800-53 and HIPAA judge the templates
 * of every deployable stage, and of one with every feature. A finding without a reason in this file is a failure.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument } from '@commander-js/extra-typings';
import { App, Validations } from 'aws-cdk-lib';
import { HIPAASecurityChecks, NIST80053R5Checks } from 'cdk-nag';
import * as v from 'valibot';
import { chosenStages } from '../infra/cdk/chosen-stages.ts';
import { Masthead } from '../infra/cdk/masthead.ts';
import type { StageConfig } from '../infra/cdk/stage.ts';
import { synthesize } from '../infra/cdk/synthesize.ts';
import { command, run } from '../infra/command-line/command.ts';
import { emptyBundles, everything } from '../test/infra/stages.ts';
import { pythonTool } from './python-tool.ts';

const noVpc =
  'The functions reach AWS and receivers on the internet. In a VPC they would need a NAT gateway (38 USD a ' +
  'month), and would hide nothing: they accept no connections.';
const noDlq =
  'It serves asynchronous invocations only. Queues have dead-letter queues, endpoints are called synchronously, ' +
  'and the next scheduled run completes the work of a failed one.';
const optionalConcurrency =
  '`reservedConcurrency` is optional: reserved executions are lost to all other functions, and an account with ' +
  'ten can reserve none.';
const noTracing =
  'Requests, events and deliveries are followed by their ids through structured logs; ' +
  'X-Ray would need a grant on all resources.';
const noCache =
  'Responses depend on the key of the caller. A cache would have to be paid by the hour, and could answer one ' +
  'caller with what belongs to another.';
const noExecutionLogs =
  'Execution logs contain request paths, and the path of an invitation contains its token. ' +
  'Access logs by resource and the logs of the functions replace them.';
const noClientCertificate =
  'It would authenticate the gateway to a backend on the internet. ' +
  'The backend is Lambda, which API Gateway calls with a role.';
const noBackupPlan =
  'Point-in-time recovery covers every second of 35 days. A plan of AWS Backup for copies in another region is ' +
  'the account owner’s (docs/disaster-recovery.md).';
const inlinePolicies =
  'Each role belongs to one function, and its policy to the line of the contract: ' +
  'a managed policy could be attached elsewhere, and changed apart.';
const keyIsASetting =
  '`features.customerManagedKey` is on in prod and required with the pipeline. Without it AWS’s own keys encrypt; ' +
  'dev costs a dollar a month less.';

/** The accepted findings by rule, as the judge names it. */
const reasons: Readonly<Record<string, string>> = {
  W3005: 'The CDK states dependencies that a reference implies too; CloudFormation ignores the repetition.',
  CKV_AWS_116: noDlq,
  CKV_AWS_117: noVpc,
  CKV_AWS_115: optionalConcurrency,
  CKV_AWS_173:
    'The environment has names, URLs and settings, and no secret. ' +
    'A key of the customer would have to be usable by every function’s role.',
  CKV_AWS_33:
    'The principal is any, but the conditions allow only the stage’s functions and deployments, and only through ' +
    'DynamoDB and SQS (test/infra/data.test.ts).',
  CKV_AWS_73: noTracing,
  CKV_AWS_120: noCache,
  CKV_AWS_26: keyIsASetting,
  CKV_AWS_27: 'SQS encrypts with its own key (`SqsManagedSseEnabled`), which this rule does not count.',
  CKV_AWS_76: 'Access logs are a setting; every function logs each response.',
  CKV_AWS_119: keyIsASetting,
  CKV_AWS_158: keyIsASetting,
  ...Object.fromEntries(
    ['NIST.800.53.R5', 'HIPAA.Security'].flatMap((pack) =>
      Object.entries({
        APIGWCacheEnabledAndEncrypted: noCache,
        APIGWExecutionLoggingEnabled: noExecutionLogs,
        APIGWSSLEnabled: noClientCertificate,
        APIGWXrayEnabled: noTracing,
        APIGWAssociatedWithWAF: 'A web ACL costs more than the rest of an idle stage; it is a setting.',
        CloudWatchLogGroupEncrypted: keyIsASetting,
        DynamoDBInBackupPlan: noBackupPlan,
        IAMNoInlinePolicy: inlinePolicies,
        LambdaConcurrency: optionalConcurrency,
        LambdaDLQ: noDlq,
        LambdaInsideVPC: noVpc,
        SNSEncryptedKMS: keyIsASetting,
      }).map(([rule, reason]) => [`${pack}-${rule}`, reason]),
    ),
  ),
};

const maxBuffer = 64 * 1024 * 1024;
const lintReport = v.array(v.object({ Rule: v.object({ Id: v.string() }), Message: v.string() }));
const checkovReport = v.object({
  results: v.object({ failed_checks: v.array(v.object({ check_id: v.string(), check_name: v.string() })) }),
});
const nagReport = v.object({
  pluginReports: v.array(
    v.object({ violations: v.optional(v.array(v.object({ ruleName: v.string(), description: v.string() })), []) }),
  ),
});

interface Finding {
  readonly rule: string;
  readonly text: string;
}

/** Returns the findings about templates in a folder; none, with a printed reason, if the judge can't be installed. */
type Judge = (folder: string, config: StageConfig) => readonly Finding[];

const cfnLint: Judge = (folder, { region }) => {
  const bin = pythonTool({ name: 'cfn-lint', version: '1.58.0' });
  if (bin === undefined) return [];
  const args = ['--template', join(folder, '*.template.json'), '--format', 'json', '--regions', region ?? 'us-east-1'];
  const { stdout, stderr } = spawnSync(join(bin, 'cfn-lint'), args, { encoding: 'utf8', maxBuffer });
  if (stdout === '') throw new Error(`cfn-lint: ${stderr}`);
  return v.parse(lintReport, JSON.parse(stdout)).map(({ Rule, Message }) => ({ rule: Rule.Id, text: Message }));
};

const checkov: Judge = (folder) => {
  const bin = pythonTool({ name: 'checkov', version: '3.3.30' });
  if (bin === undefined) return [];
  const args = ['-d', folder, '--framework', 'cloudformation', '--compact', '--quiet', '-o', 'json'];
  const { stdout } = spawnSync(join(bin, 'checkov'), args, { encoding: 'utf8', maxBuffer });
  const { failed_checks } = v.parse(checkovReport, JSON.parse(stdout)).results;
  return failed_checks.map((one) => ({ rule: one.check_id, text: one.check_name }));
};

const nag: Judge = (_folder, config) => {
  const outdir = mkdtempSync(join(tmpdir(), 'masthead-nag-'));
  const bundles = emptyBundles();
  const app = new App({ analyticsReporting: false, outdir });
  new Masthead(app, config.name, { ...config.input, name: config.name, bundles });
  Validations.of(app).addPlugins(new NIST80053R5Checks(app), new HIPAASecurityChecks(app));
  const print = console.error;
  // The report is read from a file; the CDK prints the same findings too.
  console.error = () => {};
  try {
    app.synth();
  } catch (error) {
    if (!(error instanceof Error && error.name.startsWith('Validation'))) throw error;
  } finally {
    console.error = print;
    bundles.remove();
  }
  const report = v.parse(nagReport, JSON.parse(readFileSync(join(outdir, 'validation-report.json'), 'utf8')));
  rmSync(outdir, { recursive: true, force: true });
  return report.pluginReports.flatMap(({ violations }) =>
    violations.map(({ ruleName, description }) => ({ rule: ruleName, text: description })),
  );
};

const judges: Readonly<Record<string, Judge>> = { 'cfn-lint': cfnLint, checkov, 'cdk-nag': nag };

await run(
  command('npm --prefix lab run judges --')
    .description(
      'Judges the templates of every stage, and of one with every feature on, with cfn-lint, checkov, and ' +
        'cdk-nag’s packs for NIST 800-53 and HIPAA. The exit code is 1 if a finding has no reason in lab/judges.ts. ' +
        'The first run installs cfn-lint and checkov with Python 3 below node_modules/.cache.',
    )
    .addArgument(new Argument('[judge...]', 'Who judges (default: all).').choices(Object.keys(judges)))
    .action(async (chosen) => {
      const stages = [...chosenStages(), everything];
      const folder = mkdtempSync(join(tmpdir(), 'masthead-judges-'));
      const bundles = emptyBundles();
      try {
        for (const config of stages)
          await synthesize([config], bundles, { checked: false, outdir: join(folder, config.name) });
        for (const [name, judge] of Object.entries(judges)) {
          if (chosen.length > 0 && !chosen.includes(name)) continue;
          const findings = stages.flatMap((config) => judge(join(folder, config.name), config));
          const open = findings.filter(({ rule }) => reasons[rule] === undefined);
          console.log(`${name}: ${findings.length} findings, ${open.length} without a reason`);
          for (const { rule, text } of open) console.log(`  ${rule}  ${text}`);
          if (open.length > 0) process.exitCode = 1;
        }
      } finally {
        bundles.remove();
        rmSync(folder, { recursive: true, force: true });
      }
    }),
);
