/**
 * Error codes of OAuth 2.0 and OpenID Connect. Other texts of a provider or an address are never repeated.
 */
const standardErrors = new Set([
  // RFC 6749 sections 4.1.2.1 and 5.2.
  'access_denied',
  'invalid_client',
  'invalid_grant',
  'invalid_request',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_response_type',
  // OpenID Connect Core 1.0 section 3.1.2.6.
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_request_object',
  'invalid_request_uri',
  'login_required',
  'registration_not_supported',
  'request_not_supported',
  'request_uri_not_supported',
]);

/** Returns a standard error code unchanged and another text as `another error`. */
export function normalizeOAuthError(error: string): string {
  return standardErrors.has(error) ? error : 'another error';
}
