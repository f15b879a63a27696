<?php

declare(strict_types=1);

namespace Paylatch;

/**
 * A failed call. The message says what happened and what to do.
 *
 * `errorCode` is stable: an error code of the service (docs/errors.md), or
 *
 * - `unreachable`: the service could not be reached
 * - `timed_out`: the service did not respond in time
 * - `unexpected_response`: the response is not from the service, such as a proxy's error page
 * - `token_refused`: the client credentials were rejected
 *
 * Later releases may add codes.
 */
final class PaylatchException extends \RuntimeException
{
    /**
     * @param int|null $status HTTP status; null without a response
     * @param string $title Short, constant title of the problem; empty if the service sent none
     * @param list<FieldError> $errors All invalid fields of the request
     * @param string|null $limit The exceeded rate limit
     * @param bool $retryable True if the same request may succeed later. Repeating it safely may still need an idempotency key
     * @param int|null $retryAfter Delay that the service asks for, in seconds
     * @param string|null $requestId For support
     */
    public function __construct(
        public readonly string $errorCode,
        string $message,
        public readonly ?int $status = null,
        public readonly string $title = '',
        public readonly array $errors = [],
        public readonly ?string $limit = null,
        public readonly bool $retryable = false,
        public readonly ?int $retryAfter = null,
        public readonly ?string $requestId = null,
        ?\Throwable $previous = null,
    ) {
        parent::__construct($message, 0, $previous);
    }

    /**
     * Creates the exception for an unsuccessful response.
     *
     * @param array<string, string> $headers
     */
    public static function fromResponse(int $status, array $headers, mixed $body, ?\Throwable $previous = null): self
    {
        $text = static fn(string $name): ?string => is_array($body) && is_string($body[$name] ?? null) ? $body[$name] : null;
        $after = $headers['retry-after'] ?? '';
        $retryAfter = preg_match('/^\d{1,9}$/D', $after) === 1 ? (int) $after : null;
        if (is_array($body) && $text('code') !== null && $text('detail') !== null) {
            $errors = is_array($body['errors'] ?? null) ? $body['errors'] : [];
            return new self(
                $text('code'),
                $text('detail'),
                $status,
                $text('title') ?? '',
                array_values(array_map(
                    static fn(array $each) => new FieldError($each['pointer'] ?? '', $each['code'] ?? '', $each['detail'] ?? ''),
                    $errors,
                )),
                $text('limit'),
                ($body['retryable'] ?? null) === true,
                $retryAfter,
                $text('request_id'),
            );
        }
        // RFC 6749, section 5.2: error format of the token endpoint.
        if ($text('error') !== null) {
            return new self('token_refused', $text('error_description') ?? $text('error'), $status);
        }
        return new self(
            'unexpected_response',
            "Unexpected response with status $status. Check the base URL, and any proxy in front of the service.",
            $status,
            retryable: in_array($status, [429, 502, 503, 504], true),
            retryAfter: $retryAfter,
            requestId: $headers['request-id'] ?? null,
            previous: $previous,
        );
    }
}
