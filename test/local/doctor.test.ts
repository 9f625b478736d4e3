/** `npm run ops -- doctor`, on recorded responses of AWS and on a running local stack. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import type { StageInput } from '../../infra/cdk/stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import type { Names } from '../../infra/ops/doctor/domain.ts';
import { examine } from '../../infra/ops/doctor/examine.ts';
import type { Finding } from '../../infra/ops/doctor/finding.ts';
import { type Recorded, refusal, startAwsAnswers } from '../support/aws-answers.ts';
import { runStack, temporaryHome } from '../support/parts-running-stack.ts';
import {
  account,
  deployed,
  deployedBy,
  faulty,
  healthy,
  region,
  stacks,
  subscriptions,
} from '../support/recorded-account.ts';
import { runScript } from '../support/run-script.ts';

let answers: Readonly<Record<string, Recorded>>;
const aws = await startAwsAnswers(() => answers);
const environment = { AWS_ENDPOINT_URL: aws.origin, AWS_ACCESS_KEY_ID: 'ops', AWS_SECRET_ACCESS_KEY: 'ops' };
beforeEach(() => {
  answers = healthy();
  aws.calls.length = 0;
  Object.assign(process.env, environment);
});
afterAll(() => aws.stop());

const recorded = (stage: 'prod' | 'local') => readFileSync(join(import.meta.dirname, `doctor-${stage}.txt`), 'utf8');

const ops = (...args: string[]) => runScript('infra/ops/ops.ts', ['doctor', ...args], environment);

const edited: StageInput = {
  ...stages.prod,
  account,
  publication: { name: 'Field Notes', url: 'https://fieldnotes.press' },
  mail: { ...stages.prod.mail, from: 'desk@fieldnotes.press' },
  allowedOrigins: ['https://fieldnotes.press'],
  alarmTargets: [{ email: 'on-call@fieldnotes.press' }],
  apiLogsRole: 'create',
  runbookUrl: 'https://runbook.fieldnotes.press',
};
const noNames: Names = { resolveCname: async () => [], resolve4: async () => [] };
const identity = 'ses:GET /v2/email/identities/fieldnotes.press';
const examineProd = (changes: Partial<StageInput> = {}, names = noNames) => {
  answers = {
    ...answers,
    [identity]: answers[identity] ?? answers['ses:GET /v2/email/identities/example.org'] ?? { body: {} },
  };
  return examine(parseStage('prod', { ...edited, ...changes }), names);
};
const of = (findings: readonly Finding[], check: string) =>
  findings
    .filter((finding) => finding.check === check)
    .map(({ result, text, fix = '' }) => `${result}: ${text} ${fix}`.trim());
const checks = (findings: readonly Finding[], result: Finding['result']) => [
  ...new Set(findings.filter((finding) => finding.result === result).map(({ check }) => check)),
];

describe('on an account in which the stage works', () => {
  it('finds nothing and changes nothing', async () => {
    const findings = await examineProd();
    expect(checks(findings, 'stops')).toEqual([]);
    expect(checks(findings, 'warning')).toEqual([]);
    expect(checks(findings, 'skipped')).toEqual(['domain', 'relays']);
    const writes = aws.calls.filter((call) => !/:(GET |Get|Describe|List|Query|StartQuery)/.test(call));
    expect(writes).toEqual([]);
  });

  it('requires the same version of the CDK bootstrap as the templates', async () => {
    const { requiredBootstrap } = await import('../../infra/ops/doctor/account.ts');
    const source = readFileSync(
      join(import.meta.dirname, '../../node_modules/aws-cdk-lib/core/lib/stack-synthesizers/default-synthesizer.js'),
      'utf8',
    );
    expect(source).toContain(`MIN_BOOTSTRAP_STACK_VERSION=${requiredBootstrap}`);
  });
});

describe('on a faulty account', () => {
  it('prints each finding with its remedy, and exits with code 1', async () => {
    answers = faulty();
    const { code, output } = await ops('--stage', 'prod');
    expect(code).toBe(1);
    expect(output).toBe(recorded('prod'));
  });

  it('prints exactly what docs/operations.md shows', () => {
    const operations = readFileSync(join(import.meta.dirname, '../../docs/operations.md'), 'utf8');
    const [, example = ''] = /```\n(✗[^`]+)\n```/.exec(operations) ?? [];
    expect(example).toContain('✗ bootstrap');
    for (const line of example.split('\n')) expect(recorded('prod')).toContain(line);
  });

  it('finds every kind of fault', async () => {
    answers = faulty();
    // Only a canary is refused because of an active alarm.
    const findings = await examineProd({ features: { ...stages.prod.features, canary: true } });
    expect(checks(findings, 'stops')).toEqual(['bootstrap', 'stacks', 'owner', 'mail', 'concurrency', 'alarms']);
    expect(checks(findings, 'warning')).toEqual([
      'mail',
      'throttle',
      'subscriptions',
      'alarms',
      'dead letters',
      'functions',
      'keys',
    ]);
    for (const { result, fix } of findings) if (result === 'stops' || result === 'warning') expect(fix).toBeTruthy();
    expect(of(findings, 'bootstrap')[0]).toContain(`npm run cdk -- bootstrap aws://${account}/${region}`);
    expect(of(findings, 'mail').join()).toContain('one._domainkey.fieldnotes.press CNAME one.dkim.amazonses.com');
    expect(of(findings, 'concurrency')[0]).toContain('--quota-code L-B99A9384 --desired-value 1000');
    expect(of(findings, 'functions')).toEqual([
      expect.stringContaining('roles/list took 8.4 of 10 seconds'),
      expect.stringContaining('deliveries/fan-out used 500 of 512 MB'),
    ]);
    expect(of(findings, 'keys')).toEqual([expect.stringContaining('The key 6a0000000000000000000001')]);
  });

  it('prints the findings as JSON with --json', async () => {
    answers = faulty();
    const { code, output } = await ops('--stage', 'prod', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(output)).toMatchObject({
      stage: 'prod',
      stops: true,
      findings: expect.arrayContaining([expect.objectContaining({ check: 'bootstrap', result: 'stops' })]),
    });
  });
});

describe('before the first deployment', () => {
  it('checks only the account, and skips checks of the stacks', async () => {
    answers = {
      ...healthy(),
      'cloudformation:DescribeStacks': stacks({}),
      'sqs:GetQueueUrl': { status: 400, body: { __type: 'QueueDoesNotExist' } },
    };
    const findings = await examineProd();
    expect(checks(findings, 'stops')).toEqual(['bootstrap']);
    expect(checks(findings, 'skipped')).toEqual([
      'release',
      'owner',
      'subscriptions',
      'alarms',
      'dead letters',
      'functions',
      'domain',
      'relays',
      'keys',
    ]);
    expect(of(findings, 'stacks')).toEqual(['passed: Nothing is deployed yet.']);
  });

  it('accepts an account without a role for API Gateway’s logs, for which API Gateway returns null', async () => {
    const throttleSettings = { rateLimit: 10_000, burstLimit: 5000 };
    answers = { ...healthy(), 'apigateway:GET /account': { body: { cloudwatchRoleArn: null, throttleSettings } } };
    expect(of(await examineProd(), 'throttle')).toEqual([expect.stringMatching(/^passed/)]);
  });

  it('requires a role for API Gateway’s logs in a stage with access logs, unless the stage creates it', async () => {
    answers = healthy();
    const findings = await examineProd({ apiLogsRole: 'existing' });
    expect(of(findings, 'throttle')[1]).toMatch(/^stops: API Gateway has no role for the logs of this account/);
  });

  it('says how long the first use of the console and a first mail wait for their functions', async () => {
    const row = (function_name: string, init_ms: number) =>
      Object.entries({ name: `masthead-prod-${function_name}`, size_mb: 512, used_mb: 120, ms: 80, init_ms }).map(
        ([field, value]) => ({ field, value: String(value) }),
      );
    const results = [row('console-page', 640), row('mail-send', 910), row('roles-list', 700)];
    answers = { ...healthy(), 'logs:GetQueryResults': { body: { status: 'Complete', results } } };
    expect(of(await examineProd(), 'functions')).toEqual([
      'passed: 3 functions ran in the last 24 hours, none near a limit.',
      'passed: The first use after a pause waits for its function: the console up to 0.6 s, a mail up to 0.9 s.',
    ]);
  });

  it('adds up what the stages of the account take of its executions and of SES’s rate', async () => {
    answers = { ...healthy(), [identity]: healthy()['ses:GET /v2/email/identities/example.org'] ?? { body: {} } };
    const all = ['prod', 'test'].map((name) => parseStage(name, edited));
    const [prod] = all;
    if (prod === undefined) throw new Error('There is no stage.');
    const findings = await examine(prod, noNames, all);
    expect(of(findings, 'concurrency')[0]).toContain('queues and schedules of prod and test can take 254, 746 remain');
    expect(of(findings, 'mail').join()).toContain('mail.perSecond of prod and test is together 28, SES allows 14');
  });

  it('names the value of apiLogsRole for an account that has such a role', async () => {
    const throttleSettings = { rateLimit: 10_000, burstLimit: 5000 };
    const cloudwatchRoleArn = 'arn:aws:iam::111111111111:role/others';
    answers = { ...healthy(), 'apigateway:GET /account': { body: { cloudwatchRoleArn, throttleSettings } } };
    expect(of(await examineProd({ apiLogsRole: undefined }), 'throttle')[1]).toContain(
      `${cloudwatchRoleArn}. set apiLogsRole: 'existing' for prod`,
    );
  });

  it('reports a role for API Gateway’s logs that the deployment would replace', async () => {
    const role = 'arn:aws:iam::111111111111:role/others';
    answers = {
      ...healthy(),
      'cloudformation:DescribeStacks': stacks({}),
      'apigateway:GET /account': {
        body: { cloudwatchRoleArn: role, throttleSettings: { rateLimit: 10_000, burstLimit: 5000 } },
      },
    };
    expect(of(await examineProd(), 'throttle')[1]).toContain(`${role}; a deployment would replace it`);
  });
});

describe('credentials', () => {
  it('of another account stop the doctor before it reads anything else', async () => {
    const findings = await examineProd({ account: '222222222222' });
    expect(of(findings, 'credentials')[0]).toContain(
      `The credentials are of the account ${account}, the stage prod belongs to 222222222222.`,
    );
    expect(aws.calls).toEqual(['sts:GetCallerIdentity']);
  });

  it('that AWS rejects stop the doctor', async () => {
    const { 'sts:GetCallerIdentity': _, ...others } = healthy();
    answers = others;
    expect(of(await examineProd(), 'credentials')[0]).toContain('AWS does not accept the credentials. AccessDenied');
  });

  it('that lack a permission leave that check open, and the other checks run', async () => {
    const { 'sns:ListSubscriptionsByTopic': _, 'apigateway:GET /account': __, ...others } = healthy();
    answers = others;
    const findings = await examineProd();
    expect(checks(findings, 'warning')).toEqual(['throttle', 'subscriptions']);
    expect(of(findings, 'subscriptions')[0]).toContain('It could not be checked. AccessDenied');
  });
});

describe('subscriptions', () => {
  const notices = `arn:aws:sns:${region}:${account}:masthead-prod-notices`;

  it('that wait for their confirmation are reported for each topic, because each has a link of its own', async () => {
    answers = { ...healthy(), 'sns:ListSubscriptionsByTopic': subscriptions((topic) => topic !== notices) };
    expect(of(await examineProd(), 'subscriptions')).toEqual([
      'passed: on-call@example.org gets the alarms of the topic alarms.',
      expect.stringMatching(
        `^warning: on-call@example.org has not confirmed the topic notices: none of its alarms is mailed there. .* --topic-arn ${notices} `,
      ),
    ]);
  });

  it('to notices are not expected of addresses that get urgent alarms only', async () => {
    answers = { ...healthy(), 'sns:ListSubscriptionsByTopic': subscriptions((topic) => topic !== notices) };
    const alarmTargets = [{ email: 'on-call@fieldnotes.press', severities: 'urgent' as const }];
    expect(of(await examineProd({ alarmTargets }), 'subscriptions')).toEqual([expect.stringMatching(/^passed/)]);
  });
});

describe('stacks', () => {
  it('that failed at their first deployment are named with the command that is needed before another one', async () => {
    const failed = { state: 'ROLLBACK_COMPLETE', isProtected: true };
    answers = { ...healthy(), 'cloudformation:DescribeStacks': stacks({ ...deployed, 'masthead-prod-mail': failed }) };
    expect(of(await examineProd(), 'stacks')).toEqual([
      expect.stringContaining(
        'aws cloudformation update-termination-protection --stack-name masthead-prod-mail ' +
          '--no-enable-termination-protection',
      ),
    ]);
  });

  it('of a stage with the same name that belongs to another publication stop the deployment', async () => {
    answers = { ...healthy(), ...deployedBy('https://other.press') };
    expect(of(await examineProd(), 'owner')).toEqual([
      'stops: The stacks masthead-prod-… serve https://other.press, but this stage belongs to https://fieldnotes.press: a deployment would replace the other. ' +
        'if it is not an earlier URL of yours, rename your stage in infra/cdk/stages.ts',
    ]);
  });
});

describe('a stage with a key of its own', () => {
  it('names the missing permission of a profile that may read the table but not use the key', async () => {
    const message =
      'KMS key access denied error: com.amazonaws.services.kms.model.AWSKMSException: User: arn:aws:iam::111111111111:user/ops is not ' +
      `authorized to perform: kms:Decrypt on resource: arn:aws:kms:${region}:${account}:key/1`;
    answers = { ...healthy(), 'dynamodb:Query': refusal('AccessDeniedException', message, false) };
    const findings = await examineProd();
    expect(checks(findings, 'warning')).toEqual(['relays', 'keys']);
    expect(of(findings, 'keys')[0]).toContain(
      'allow it kms:Decrypt on the key: docs/operations.md#who-can-read-the-data',
    );
  });
});

describe('a domain', () => {
  const target = 'd-abc.execute-api.eu-central-1.amazonaws.com';
  const domain = { name: 'hooks.fieldnotes.press', certificateArn: `arn:aws:acm:${region}:${account}:certificate/1` };
  const certificate = (fields: object): Recorded => ({
    body: {
      Certificate: {
        Status: 'ISSUED',
        DomainName: 'fieldnotes.press',
        SubjectAlternativeNames: ['fieldnotes.press', '*.fieldnotes.press'],
        NotAfter: 4_000_000_000,
        ...fields,
      },
    },
  });
  const examineDomain = (fields: object, names: Partial<Names> = {}) => {
    answers = {
      ...healthy(),
      'acm:DescribeCertificate': certificate(fields),
      'cloudformation:DescribeStacks': stacks({
        ...deployed,
        'masthead-prod-api': { state: 'CREATE_COMPLETE', outputs: { DomainTarget: target } },
      }),
    };
    return examineProd({ domain }, { ...noNames, ...names });
  };

  it('with a valid certificate and a name that leads to the API passes', async () => {
    const findings = await examineDomain({}, { resolveCname: async () => [target] });
    expect(of(findings, 'domain')).toEqual([
      expect.stringMatching(/^passed: The certificate is valid until/),
      `passed: hooks.fieldnotes.press leads to ${target}.`,
    ]);
  });

  it('with the IP addresses of the API, as an alias record has, passes', async () => {
    const findings = await examineDomain({}, { resolve4: async () => ['192.0.2.1'] });
    expect(of(findings, 'domain')[1]).toBe(`passed: hooks.fieldnotes.press has the addresses of ${target}.`);
  });

  it.each([
    [
      {
        Status: 'PENDING_VALIDATION',
        DomainValidationOptions: [
          {
            DomainName: 'a',
            ResourceRecord: { Name: '_x.fieldnotes.press.', Type: 'CNAME', Value: '_y.acm-validations.aws.' },
          },
        ],
      },
      'stops: The certificate for hooks.fieldnotes.press is PENDING_VALIDATION. create this DNS record: ' +
        '_x.fieldnotes.press. CNAME _y.acm-validations.aws.',
    ],
    [
      { SubjectAlternativeNames: ['fieldnotes.press'] },
      'stops: The certificate is for fieldnotes.press, not for hooks.fieldnotes.press.',
    ],
    [{ NotAfter: 1_000_000_000 }, 'warning: The certificate ends on 2001-09-09 and was not renewed.'],
  ])('with an invalid certificate is reported: %j', async (fields, text) => {
    expect(of(await examineDomain(fields), 'domain')[0]).toContain(text);
  });

  it('in a hosted zone passes if its name resolves, and otherwise names the zone to delegate to', async () => {
    const inZone = { ...domain, hostedZone: { id: 'Z0123456789ABC', name: 'fieldnotes.press' } };
    const examineZone = (addresses: string[]) => {
      answers = { ...healthy(), 'acm:DescribeCertificate': certificate({}) };
      return examineProd({ domain: inZone }, { ...noNames, resolve4: async () => addresses });
    };
    expect(of(await examineZone(['192.0.2.1']), 'domain')[1]).toBe(
      'passed: hooks.fieldnotes.press resolves to 192.0.2.1.',
    );
    expect(of(await examineZone([]), 'domain')[1]).toBe(
      'stops: hooks.fieldnotes.press does not resolve. the record is in the hosted zone Z0123456789ABC: ' +
        'delegate fieldnotes.press to it',
    );
  });

  it('that was set after the last deployment is reported, even if its name leads somewhere', async () => {
    answers = { ...healthy(), 'acm:DescribeCertificate': certificate({}) };
    const findings = await examineProd({ domain }, { ...noNames, resolve4: async () => ['192.0.2.1'] });
    expect(of(findings, 'domain')[1]).toBe(
      'stops: The deployed API does not serve hooks.fieldnotes.press: the stack api has no output DomainTarget. ' +
        "npm run cdk -- deploy 'prod/*'",
    );
  });

  it('that does not resolve or leads elsewhere is reported with the DNS record to create', async () => {
    const record = `create this DNS record: hooks.fieldnotes.press CNAME ${target}`;
    expect(of(await examineDomain({}), 'domain')[1]).toBe(`stops: hooks.fieldnotes.press does not resolve. ${record}`);
    const elsewhere = await examineDomain({}, { resolveCname: async () => ['old.example.net'] });
    expect(of(elsewhere, 'domain')[1]).toBe(
      `stops: hooks.fieldnotes.press leads to old.example.net, not to the API. ${record}`,
    );
  });

  const failsWith = (code: string) => async () => {
    throw Object.assign(new Error(`queryA ${code} hooks.fieldnotes.press`), { code });
  };

  it.each(['ENOTFOUND', 'ENODATA'])('without a record (%s) does not resolve', async (code) => {
    const findings = await examineDomain({}, { resolve4: failsWith(code), resolveCname: failsWith(code) });
    expect(of(findings, 'domain')[1]).toContain('stops: hooks.fieldnotes.press does not resolve.');
  });

  it.each(['ESERVFAIL', 'ETIMEOUT'])(
    'could not be checked if a name server fails with %s, because the record may exist',
    async (code) => {
      const findings = await examineDomain({}, { resolve4: failsWith(code) });
      expect(of(findings, 'domain')).toEqual([
        expect.stringMatching(/^passed: The certificate is valid until/),
        `warning: It could not be checked where hooks.fieldnotes.press leads. queryA ${code} hooks.fieldnotes.press check the network, and run this again`,
      ]);
    },
  );
});

it('the doctor examines the local stack, and prints why it skips checks of missing parts', async () => {
  const home = temporaryHome();
  const running = await runStack(home.folder, ['--memory']);
  try {
    const run = await runScript('infra/ops/ops.ts', ['doctor', '--stage', 'local'], {
      MASTHEAD_HOME: home.folder,
    });
    expect(run.code).toBe(0);
    expect(run.output).toBe(recorded('local'));
    expect(run.output).toContain('✓ dead letters');
    expect(run.output).toContain('✓ keys');
  } finally {
    await running.end('SIGINT');
    home.remove();
  }
});
