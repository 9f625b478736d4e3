/** Reports the licences of the packages in the lockfile, as a table or in one line. */
import { isAccepted, type LockedPackage, lockedPackages } from './packages.ts';

const byLicence = (packages: readonly LockedPackage[]) =>
  [...Map.groupBy(packages, ({ licence }) => licence)].sort(([, a], [, b]) => b.length - a.length);

/** Prints each licence with its packages. */
export const printLicences = (): void =>
  console.table(
    byLicence(lockedPackages()).map(([licence, of]) => ({
      licence,
      packages: of.length,
      deployed: of.filter(({ isDeployed }) => isDeployed).length,
      names: of.length > 4 ? '' : of.map(({ name }) => name).join(', '),
    })),
  );

/** Prints how many packages have each licence, in one line. */
export const printLicenceCounts = (): void => {
  const packages = lockedPackages();
  const counts = byLicence(packages).map(([licence, of]) => `${licence} ${of.length}`);
  console.log(`licences of ${packages.length} packages: ${counts.join(', ')}`);
};

/** Returns whether all licences are accepted; prints each that is not. */
export const checkLicences = (): boolean => {
  const refused = lockedPackages().filter((one) => !isAccepted(one));
  for (const { name, version, licence } of refused)
    console.error(`${name}@${version}: the licence ${licence} is not accepted.`);
  return refused.length === 0;
};
