/** The methods that a path supports, for base paths of any kind. */
import { describe, expect, it } from 'vitest';
import { allowedMethods } from '../../shared/http/routes.ts';

describe('allowedMethods', () => {
  it.each([
    ['/ghost/api/admin/webhooks/', '/ghost/api', ['POST', 'OPTIONS']],
    ['/ghost/api/admin/webhooks', '/ghost/api', ['POST', 'OPTIONS']],
    ['/admin/webhooks/', '', ['POST', 'OPTIONS']],
    ['/a/b/c/admin/roles/', '/a/b/c', ['GET', 'HEAD', 'OPTIONS']],
    ['/ghost/api/admin/webhooks/anything', '/ghost/api', ['PUT', 'DELETE', 'OPTIONS']],
    ['/ghost/api/admin/webhooks/preview/', '/ghost/api', ['POST', 'OPTIONS']],
    ['/ghost/api/admin/webhooks/a%2Fb', '/ghost/api', ['PUT', 'DELETE', 'OPTIONS']],
  ])('%s below %j: %j', (path, base, methods) => {
    expect(allowedMethods(path, base)).toEqual(methods);
  });

  it.each([
    ['/admin/webhooks/', '/ghost/api'],
    ['/ghost/apiadmin/webhooks/', '/ghost/api'],
    ['/ghost/api', '/ghost/api'],
    ['/ghost/api/', '/ghost/api'],
    ['/ghost/api/admin/webhooks//', '/ghost/api'],
    ['/ghost/api//admin/webhooks/', '/ghost/api'],
    ['/ghost/api/admin/WEBHOOKS/', '/ghost/api'],
    ['/ghost/api/admin/webhooks/a/b/c/d/e', '/ghost/api'],
    ['', ''],
    ['/', ''],
  ])('%s below %j: none', (path, base) => {
    expect(allowedMethods(path, base)).toEqual([]);
  });
});
