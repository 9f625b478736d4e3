/** Whether SES sends the stage's mail: the account, its sandbox and quota, and the sender's identity. */
import { GetAccountCommand, GetEmailIdentityCommand, NotFoundException, type SESv2Client } from '@aws-sdk/client-sesv2';
import { namesOf, togetherOf } from '../../cdk/shared-account.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { type Examined, type Found, passed, stops, warning } from './finding.ts';

const production = 'https://docs.aws.amazon.com/ses/latest/dg/request-production-access.html';

export const checkMail = async (client: SESv2Client, examined: Examined): Promise<Found[]> => [
  ...(await checkAccount(client, examined)),
  await checkIdentity(client, examined),
];

const checkAccount = async (client: SESv2Client, { config, sharing, region }: Examined): Promise<Found[]> => {
  const { ProductionAccessEnabled, SendingEnabled, EnforcementStatus, SendQuota } = await client.send(
    new GetAccountCommand(),
  );
  const found: Found[] = [];
  if (SendingEnabled === false)
    found.push(stops(`SES does not send for this account (${EnforcementStatus}).`, reputation(region)));
  else if (EnforcementStatus !== undefined && EnforcementStatus !== 'HEALTHY')
    found.push(warning(`SES reports the account as ${EnforcementStatus}.`, reputation(region)));
  found.push(sandboxOf(config, ProductionAccessEnabled === true));
  const { perSecond, perDay } = togetherOf(sharing);
  const isOne = sharing.length === 1;
  const ofStages = isOne ? 'is' : `of ${namesOf(sharing)} is together`;
  const { MaxSendRate = 0, Max24HourSend = 0 } = SendQuota ?? {};
  const fix = `set mail.perSecond and mail.perDay of ${config.name} to the quota, or request more: ${production}`;
  if (perSecond > MaxSendRate)
    found.push(warning(`mail.perSecond ${ofStages} ${perSecond}, SES allows ${MaxSendRate} a second.`, fix));
  // -1: no daily quota.
  if (Max24HourSend >= 0 && perDay > Max24HourSend)
    found.push(
      warning(
        `mail.perDay ${ofStages} ${perDay === Number.POSITIVE_INFINITY ? null : perDay}, SES allows ` +
          `${Max24HourSend} in 24 hours.`,
        fix,
      ),
    );
  return found;
};

const reputation = (region: string) => `https://${region}.console.aws.amazon.com/ses/home?region=${region}#/reputation`;

const sandboxOf = ({ name, settings: { mail } }: StageConfig, isProduction: boolean): Found => {
  if (isProduction && mail.sandbox)
    return warning(
      'The account has left the sandbox, the stage still has mail.sandbox.',
      `remove mail.sandbox of ${name}`,
    );
  if (isProduction) return passed('The account has production access.');
  if (mail.sandbox)
    return passed('The account is in the sandbox, and so is the stage: only verified addresses get mail.');
  return stops(
    'The account is in the sandbox: only verified addresses get mail, and the stage has no grant for their identities.',
    `request production access (${production}), or set mail.sandbox: true for ${name}`,
  );
};

const checkIdentity = async (client: SESv2Client, { config, region, stacks }: Examined): Promise<Found> => {
  const EmailIdentity = config.settings.mail.from.replace(/^.*@/, '');
  try {
    const { VerifiedForSendingStatus, DkimAttributes } = await client.send(
      new GetEmailIdentityCommand({ EmailIdentity }),
    );
    if (VerifiedForSendingStatus === true) return passed(`${EmailIdentity} is verified.`);
    const records = (DkimAttributes?.Tokens ?? []).map(
      (token) => `${token}._domainkey.${EmailIdentity} CNAME ${token}.dkim.amazonses.com`,
    );
    return stops(
      `${EmailIdentity} is not verified (DKIM: ${DkimAttributes?.Status}): SES sends no mail.`,
      `create these DNS records: ${records.join(', ')}`,
    );
  } catch (error) {
    if (!(error instanceof NotFoundException)) throw error;
    if (config.senderIdentity === 'create' && !stacks.has('mail'))
      return passed(`The stack mail will create the identity ${EmailIdentity}.`);
    return stops(
      `SES has no identity ${EmailIdentity} in ${region}.`,
      config.senderIdentity === 'create'
        ? `npm run cdk -- deploy ${config.name}/mail`
        : `aws sesv2 create-email-identity --email-identity ${EmailIdentity}, or set senderIdentity: 'create'`,
    );
  }
};
