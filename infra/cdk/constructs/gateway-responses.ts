/** The gateway's own error responses, with the error envelope (docs/compatibility.md) and headers of every response. */
import { ResponseType } from 'aws-cdk-lib/aws-apigateway';
import { currentApiVersion } from '../../../shared/foundation/api-version.ts';
import type { StageConfig } from '../stage.ts';

interface GatewayFault {
  readonly responses: readonly ResponseType[];
  /** Default: the gateway's own status. */
  readonly status?: number;
  readonly type: string;
  readonly message: string;
  readonly help: string;
  readonly retryAfterSeconds?: number;
}

/** Statuses and types are those of the error table in docs/compatibility.md. */
const faults: readonly GatewayFault[] = [
  {
    responses: [ResponseType.DEFAULT_4XX, ResponseType.BAD_REQUEST_BODY, ResponseType.BAD_REQUEST_PARAMETERS],
    type: 'BadRequestError',
    message: 'The request could not be read.',
    help: 'Check its method, headers and body.',
  },
  {
    responses: [ResponseType.UNAUTHORIZED, ResponseType.INVALID_SIGNATURE, ResponseType.EXPIRED_TOKEN],
    status: 401,
    type: 'UnauthorizedError',
    message: 'The authorization scheme of the request is not supported.',
    help: 'Send `Authorization: Ghost <token>`.',
  },
  {
    responses: [ResponseType.ACCESS_DENIED, ResponseType.INVALID_API_KEY, ResponseType.WAF_FILTERED],
    status: 403,
    type: 'NoPermissionError',
    message: 'The gateway refused the request.',
    help: 'The operator can find the reason by the id of this error.',
  },
  {
    // API Gateway answers an unknown path as if a token were missing.
    responses: [ResponseType.MISSING_AUTHENTICATION_TOKEN, ResponseType.RESOURCE_NOT_FOUND],
    status: 404,
    type: 'NotFoundError',
    message: 'Unknown path.',
    help: 'Check the path against the OpenAPI document at /admin/openapi.json.',
  },
  {
    responses: [ResponseType.REQUEST_TOO_LARGE],
    status: 413,
    type: 'RequestEntityTooLargeError',
    message: 'The request is larger than the gateway accepts.',
    help: 'Send fewer items per request.',
  },
  {
    responses: [ResponseType.UNSUPPORTED_MEDIA_TYPE],
    status: 415,
    type: 'UnsupportedMediaTypeError',
    message: 'The media type of the body is not supported.',
    help: 'Send JSON with `Content-Type: application/json`.',
  },
  {
    responses: [ResponseType.THROTTLED, ResponseType.QUOTA_EXCEEDED],
    status: 429,
    type: 'TooManyRequestsError',
    message: 'Too many requests.',
    help: 'Retry after the number of seconds in `Retry-After`.',
    retryAfterSeconds: 1,
  },
  {
    // A throttled function is among these, and its response has no type of its own, so all of them can be retried
    // (https://docs.aws.amazon.com/lambda/latest/dg/services-apigateway-errors.html).
    responses: [
      ResponseType.DEFAULT_5XX,
      ResponseType.API_CONFIGURATION_ERROR,
      ResponseType.INTEGRATION_FAILURE,
      ResponseType.INTEGRATION_TIMEOUT,
    ],
    status: 503,
    type: 'ServiceUnavailableError',
    message: 'The request could not be completed; part of it may have been carried out.',
    help: 'Retry after the number of seconds in `Retry-After`.',
    retryAfterSeconds: 2,
  },
];

/**
 * Returns the responses by type. If the stage allows an origin, all may read them: the gateway can't choose one.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-swagger-extensions-gateway-responses.html
 */
export const gatewayResponses = ({ settings }: StageConfig): Readonly<Record<string, object>> => {
  const isReadable = settings.allowedOrigins.length > 0;
  return Object.fromEntries(
    faults.flatMap(({ responses, status, type, message, help, retryAfterSeconds }) => {
      const error = { message, context: null, type, details: null, property: null, help, code: null };
      const headers = {
        'Content-Type': 'application/json; charset=utf-8',
        'Content-Version': currentApiVersion,
        Vary: 'Accept-Version, Origin',
        'Cache-Control': 'no-store',
        'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
        'X-Content-Type-Options': 'nosniff',
        ...(isReadable && {
          'Access-Control-Allow-Origin': '*',
          'Access-Control-Expose-Headers': 'Content-Version, Location, Masthead-Ignored, Retry-After',
        }),
        ...(retryAfterSeconds && { 'Retry-After': String(retryAfterSeconds) }),
      };
      const response = {
        ...(status && { statusCode: String(status) }),
        responseParameters: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, `'${value}'`]),
        ),
        responseTemplates: {
          'application/json': JSON.stringify({
            errors: [{ ...error, id: '$context.requestId', ghostErrorCode: null }],
          }),
        },
      };
      return responses.map(({ responseType }) => [responseType, response]);
    }),
  );
};
