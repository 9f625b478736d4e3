/**
 * Checks the packages of the lockfile: their licences, and known vulnerabilities by `npm audit`; and writes a software bill of materials
 * (CycloneDX, by `npm sbom`) to sbom.cdx.json. Without network it reports that vulnerabilities were not checked, and does not fail for it.
 *
 *   npm --prefix lab run supply-chain [-- --quick]
 *
 * `--quick`, part of `npm run check:packages`, prints a line for each check, waits three seconds for the registry, and writes nothing.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { command, run } from '../../infra/command-line/command.ts';
import { checkVulnerabilities } from './audit.ts';
import { checkLicences, printLicenceCounts, printLicences } from './licences.ts';
import { npm } from './npm.ts';

const bomSchema = v.looseObject({
  bomFormat: v.literal('CycloneDX'),
  specVersion: v.string(),
  components: v.array(v.unknown()),
});

const writeBillOfMaterials = (): void => {
  const { stdout } = npm(['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], 60_000);
  const { specVersion, components } = v.parse(bomSchema, JSON.parse(stdout));
  writeFileSync(join(import.meta.dirname, '../../sbom.cdx.json'), stdout);
  console.log(`sbom.cdx.json: CycloneDX ${specVersion} with ${components.length} components`);
};

const check = (quick: boolean): void => {
  if (quick) printLicenceCounts();
  else {
    printLicences();
    writeBillOfMaterials();
  }
  const checks = [checkLicences(), checkVulnerabilities(quick ? 3000 : 30_000)];
  if (checks.includes(false)) process.exitCode = 1;
};

await run(
  command('npm --prefix lab run supply-chain --')
    .description(
      'Checks the licences of the packages in the lockfile, and asks the registry for known vulnerabilities. Writes a bill of materials (CycloneDX) to sbom.cdx.json. Without a network, vulnerabilities are not checked, which is no error.',
    )
    .option('--quick', 'Print a line for each check, wait three seconds for the registry, and write nothing.', false)
    .action(({ quick }) => check(quick)),
);
