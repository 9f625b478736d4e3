/** The stages of the tests, and placeholders for the bundles of their functions. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bundles } from '../../infra/cdk/bundles.ts';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import type { StageConfig } from '../../infra/cdk/stage.ts';
import { stages } from '../../infra/cdk/stages.ts';
import { accountId, region } from './resolved.ts';

export const ofTable: readonly StageConfig[] = Object.entries(stages).map(([name, input]) => parseStage(name, input));

export const everything = parseStage('everything', {
  region,
  publication: { name: 'Everything', url: 'https://example.org' },
  mail: { from: 'desk@example.org' },
  domain: {
    name: 'hooks.example.org',
    certificateArn: `arn:aws:acm:${region}:${accountId}:certificate/1`,
    hostedZone: { id: 'Z0123456789ABC', name: 'example.org' },
  },
  senderHostedZone: { id: 'Z0123456789ABC', name: 'example.org' },
  alarmTargets: [
    { email: 'desk@example.org' },
    { email: 'on-call@example.org', severities: 'urgent' },
    { topicArn: `arn:aws:sns:${region}:${accountId}:pager`, severities: 'urgent' },
  ],
  apiLogsRole: 'create',
  egress: { natGateways: 2 },
  bus: { accounts: ['222222222222'], organization: 'o-everything0' },
  bootstrapQualifier: 'press1',
  reservedConcurrency: { publishing: 50 },
  pipeline: { repository: 'press/masthead' },
  warmThroughput: { readsPerSecond: 12_000, writesPerSecond: 16_000 },
  throttleOf: { 'events/publish': { ratePerSecond: 7, burst: 9 } },
  retain: true,
  features: {
    dashboard: true,
    alarms: true,
    relays: true,
    canary: true,
    waf: true,
    accessLogs: true,
    customerManagedKey: true,
    xray: true,
  },
});

/** A stage whose account has the sender, whose DNS is elsewhere, and whose grants suffice for any reading by IAM. */
export const existing = parseStage('existing', {
  region,
  publication: { name: 'Existing', url: 'https://example.org' },
  mail: { from: 'desk@example.org' },
  domain: { name: 'hooks.example.net', certificateArn: `arn:aws:acm:${region}:${accountId}:certificate/2` },
  senderIdentity: 'existing',
  transactionGrants: 'union',
  pipeline: { repository: 'press/masthead', provider: 'existing' },
  features: { accessLogs: true, customerManagedKey: true },
});

export const synthesizedStages: readonly StageConfig[] = [...ofTable, everything, existing];

/** Placeholder for the bundles: templates do not depend on their content, and real bundles have their own test. */
export const emptyBundles = (): Bundles & { remove(): void } => {
  const folder = mkdtempSync(join(tmpdir(), 'masthead-bundle-'));
  writeFileSync(join(folder, 'index.mjs'), 'export const handler = async () => {};\n');
  writeFileSync(join(folder, 'index.mjs.map'), '{}');
  return { folderOf: () => folder, areComplete: true, remove: () => rmSync(folder, { recursive: true, force: true }) };
};
