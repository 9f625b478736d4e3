/** What the gateway answers by itself, in the envelope of the wire contract, with the headers that every answer carries. */
import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { currentApiVersion } from '../../../shared/foundation/api-version.ts';

interface GatewayFault {
  readonly responses: readonly ResponseType[];
  /** Left out where the gateway's own status is right. */
  readonly status?: number;
  readonly type: string;
  readonly message: string;
  readonly help: string;
  readonly retryAfterSeconds?: number;
}

/** Statuses and types are rows of the contract's error table. */
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
    message: 'The credentials of the request are not of the kind that is used here.',
    help: 'Send `Authorization: Ghost <token>`.',
  },
  {
    responses: [ResponseType.ACCESS_DENIED, ResponseType.INVALID_API_KEY, ResponseType.WAF_FILTERED],
    status: 403,
    type: 'NoPermissionError',
    message: 'The request was refused before it reached Masthead.',
    help: 'Whoever runs this Masthead can find the reason by the id of this error.',
  },
  {
    // What the gateway calls a missing token is a path that it does not know.
    responses: [ResponseType.MISSING_AUTHENTICATION_TOKEN, ResponseType.RESOURCE_NOT_FOUND],
    status: 404,
    type: 'NotFoundError',
    message: 'There is nothing at this path.',
    help: 'Check the path; all of them are in the OpenAPI document.',
  },
  {
    responses: [ResponseType.REQUEST_TOO_LARGE],
    status: 413,
    type: 'RequestEntityTooLargeError',
    message: 'The request is larger than the gateway takes.',
    help: 'Send fewer items a request.',
  },
  {
    responses: [ResponseType.UNSUPPORTED_MEDIA_TYPE],
    status: 415,
    type: 'UnsupportedMediaTypeError',
    message: 'The body is of a kind that is not read here.',
    help: 'Send JSON with `Content-Type: application/json`.',
  },
  {
    responses: [ResponseType.THROTTLED, ResponseType.QUOTA_EXCEEDED],
    status: 429,
    type: 'TooManyRequestsError',
    message: 'More requests came than this stage allows.',
    help: 'Send the request again after the seconds in `Retry-After`.',
    retryAfterSeconds: 1,
  },
  {
    responses: [
      ResponseType.DEFAULT_5XX,
      ResponseType.API_CONFIGURATION_ERROR,
      ResponseType.AUTHORIZER_CONFIGURATION_ERROR,
      ResponseType.AUTHORIZER_FAILURE,
    ],
    status: 500,
    type: 'InternalServerError',
    message: 'Something went wrong on our side.',
    help: 'Try again; if it happens again, give the id of this error to whoever runs this Masthead.',
  },
  {
    responses: [ResponseType.INTEGRATION_FAILURE, ResponseType.INTEGRATION_TIMEOUT],
    status: 503,
    type: 'ServiceUnavailableError',
    message: 'The request could not be finished just now; part of it may have been done.',
    help: 'Send the request again after the seconds in `Retry-After`.',
    retryAfterSeconds: 2,
  },
];

/** Adds a gateway response for every fault; the error's id is the request's, which stands in the access log. */
export function answerInEnvelope(api: RestApi): void {
  for (const { responses, status, type, message, help, retryAfterSeconds } of faults) {
    const error = { message, context: null, type, details: null, property: null, help, code: null };
    for (const response of responses) {
      api.addGatewayResponse(response.responseType, {
        type: response,
        ...(status && { statusCode: String(status) }),
        responseHeaders: {
          'Content-Type': "'application/json; charset=utf-8'",
          'Content-Version': `'${currentApiVersion}'`,
          Vary: "'Accept-Version, Origin'",
          'Cache-Control': "'no-store'",
          'Strict-Transport-Security': "'max-age=31536000; includeSubDomains'",
          'X-Content-Type-Options': "'nosniff'",
          ...(retryAfterSeconds && { 'Retry-After': `'${retryAfterSeconds}'` }),
        },
        templates: {
          'application/json': JSON.stringify({
            errors: [{ ...error, id: '$context.requestId', ghostErrorCode: null }],
          }),
        },
      });
    }
  }
}
