/** The certificate of the stage's domain, and whether its name leads to the API. */
import { NODATA, NOTFOUND } from 'node:dns/promises';
import { type ACMClient, DescribeCertificateCommand } from '@aws-sdk/client-acm';
import type { Examined, Found } from './finding.ts';
import { passed, skipped, stops, warning } from './finding.ts';

export interface Names {
  resolveCname(name: string): Promise<string[]>;
  resolve4(name: string): Promise<string[]>;
}

const day = 24 * 60 * 60 * 1000;
/** ACM renews a certificate 60 days before it expires. Less time is left only if it could not. */
const renewedBefore = 45 * day;

export const checkDomain = async (
  client: ACMClient,
  names: Names,
  examined: Examined,
  now: number,
): Promise<Found[]> => {
  const { domain } = examined.config;
  if (domain === undefined) return [skipped('The stage has no domain.')];
  return [await checkCertificate(client, domain, now), await checkName(names, domain, examined)];
};

type Domain = NonNullable<Examined['config']['domain']>;

const checkCertificate = async (client: ACMClient, { name, certificateArn }: Domain, now: number): Promise<Found> => {
  const fix = `aws acm describe-certificate --certificate-arn ${certificateArn}`;
  const { Certificate } = await client.send(new DescribeCertificateCommand({ CertificateArn: certificateArn }));
  const {
    Status,
    DomainName = '',
    SubjectAlternativeNames = [],
    NotAfter,
    DomainValidationOptions = [],
  } = Certificate ?? {};
  if (Status !== 'ISSUED') {
    const records = DomainValidationOptions.flatMap(({ ResourceRecord: record }) =>
      record === undefined ? [] : [`${record.Name} ${record.Type} ${record.Value}`],
    );
    return stops(
      `The certificate for ${name} is ${Status}.`,
      records.length > 0 ? `create this DNS record: ${[...new Set(records)].join(', ')}` : fix,
    );
  }
  const covered = [DomainName, ...SubjectAlternativeNames];
  const isCovered = covered.some(
    (one) => one === name || (one.startsWith('*.') && name.replace(/^[^.]+/, '*') === one),
  );
  if (!isCovered)
    return stops(
      `The certificate is for ${[...new Set(covered)].join(', ')}, not for ${name}.`,
      `request one for ${name} and set domain.certificateArn`,
    );
  const left = (NotAfter?.getTime() ?? 0) - now;
  if (left < renewedBefore)
    return warning(`The certificate ends on ${NotAfter?.toISOString().slice(0, 10)} and was not renewed.`, fix);
  return passed(`The certificate is valid until ${NotAfter?.toISOString().slice(0, 10)}.`);
};

const checkName = async (names: Names, domain: Domain, examined: Examined): Promise<Found> => {
  if (!examined.stacks.has('api')) return skipped('The stack api is not deployed.');
  return checkRecords(names, domain, examined).catch((error: Error) =>
    warning(
      `It could not be checked where ${domain.name} leads. ${error.message}`,
      'check the network, and run this again',
    ),
  );
};

/** @throws if a name server fails */
const checkRecords = async (
  names: Names,
  { name, hostedZone }: Domain,
  { config, outputs }: Examined,
): Promise<Found> => {
  const addresses = await found(names.resolve4(name));
  if (hostedZone !== undefined) {
    if (addresses.length > 0) return passed(`${name} resolves to ${addresses.join(', ')}.`);
    return stops(
      `${name} does not resolve.`,
      `the record is in the hosted zone ${hostedZone.id}: delegate ${hostedZone.name} to it`,
    );
  }
  const target = outputs.get('DomainTarget');
  if (target === undefined)
    return stops(
      `The deployed API does not serve ${name}: the stack api has no output DomainTarget.`,
      `npm run cdk -- deploy '${config.name}/*'`,
    );
  const aliases = await found(names.resolveCname(name));
  if (aliases.includes(target)) return passed(`${name} leads to ${target}.`);
  const own = await found(names.resolve4(target));
  if (addresses.some((address) => own.includes(address))) return passed(`${name} has the addresses of ${target}.`);
  const seen = [...aliases, ...addresses];
  return stops(
    seen.length === 0 ? `${name} does not resolve.` : `${name} leads to ${seen.join(', ')}, not to the API.`,
    `create this DNS record: ${name} CNAME ${target}`,
  );
};

/** Returns no records if there are none. @throws the name server's error: there may be records nevertheless */
const found = async (records: Promise<string[]>): Promise<string[]> => {
  try {
    return await records;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === NOTFOUND || code === NODATA) return [];
    throw error;
  }
};
