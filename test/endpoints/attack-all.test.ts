/** Every endpoint of the attack suite. It takes a minute, so `npm --prefix lab run test:long` runs it. */
import { testEndpoints } from '../attack/endpoint-tests.ts';
import { endpoints } from '../attack/matrix.ts';

await testEndpoints(endpoints);
