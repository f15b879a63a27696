<?php

declare(strict_types=1);

namespace Paylatch;

/** Verifies webhooks (Standard Webhooks). */
final class WebhookVerifier
{
    private const SECRET = 'whsec_';
    private const PUBLIC_KEY = 'whpk_';

    /** @var list<array{version: string, key: string}> */
    private readonly array $keys;
    /** @var \Closure(): int */
    private readonly \Closure $now;

    /**
     * @param string|list<string> $keys Webhook secrets (`whsec_…`), several while you rotate them; or public keys (`whpk_…`)
     * @param int $merchantId Your own: a webhook for another merchant is rejected
     * @param int $tolerance Greatest difference between the time of a webhook and the clock, in seconds
     * @param (callable(): int)|null $now Unix seconds
     */
    public function __construct(
        #[\SensitiveParameter] string|array $keys,
        private readonly int $merchantId,
        private readonly int $tolerance = 300,
        ?callable $now = null,
    ) {
        $this->keys = array_map(self::key(...), array_values((array) $keys));
        if ($this->keys === []) {
            throw new \InvalidArgumentException('Pass at least one webhook secret');
        }
        $this->now = ($now ?? time(...))(...);
    }

    /**
     * Headers of the current request, as `getallheaders` returns them, and its body.
     *
     * @return array{0: array<string, string>, 1: string}
     */
    public static function currentRequest(): array
    {
        return [getallheaders(), (string) file_get_contents('php://input')];
    }

    /**
     * Returns the event.
     *
     * @param array<string, string> $headers
     * @param string $body The request's body as received, before it is parsed
     * @throws WebhookVerificationException
     */
    public function verify(array $headers, string $body): Model\WebhookEvent
    {
        $headers = array_change_key_case($headers);
        $id = $headers['webhook-id'] ?? '';
        $sentAt = $headers['webhook-timestamp'] ?? '';
        if ($id === '' || preg_match('/^\d{1,15}$/D', $sentAt) !== 1) {
            throw new WebhookVerificationException('The headers of a webhook are missing or not valid');
        }
        if (abs(($this->now)() - (int) $sentAt) > $this->tolerance) {
            throw new WebhookVerificationException('The webhook is too old, or from the future. Check the clock');
        }
        if (!$this->isSigned("$id.$sentAt.$body", $headers['webhook-signature'] ?? '')) {
            throw new WebhookVerificationException('The signature is not valid. Check the webhook secret');
        }
        $event = json_decode($body, true, flags: JSON_BIGINT_AS_STRING);
        $merchantId = $event['data']['merchant_id'] ?? null;
        if ($merchantId !== $this->merchantId) {
            throw new WebhookVerificationException('The webhook is not for merchant ' . $this->merchantId);
        }
        try {
            return Model\Unknown::webhookEvent($event);
        } catch (\TypeError $error) {
            throw new WebhookVerificationException('The body is not a webhook', 0, $error);
        }
    }

    private function isSigned(string $signed, string $header): bool
    {
        $isValid = false;
        foreach (explode(' ', $header) as $signature) {
            [$version, $text] = explode(',', $signature, 2) + [1 => ''];
            $bytes = (string) base64_decode($text, true);
            foreach ($this->keys as ['version' => $expected, 'key' => $key]) {
                if ($version !== $expected) {
                    continue;
                }
                $isEqual = $version === 'v1'
                    ? hash_equals(hash_hmac('sha256', $signed, $key, true), $bytes)
                    : strlen($bytes) === SODIUM_CRYPTO_SIGN_BYTES && sodium_crypto_sign_verify_detached($bytes, $signed, $key);
                $isValid = $isValid || $isEqual;
            }
        }
        return $isValid;
    }

    /** @return array{version: string, key: string} */
    private static function key(string $text): array
    {
        $isSecret = str_starts_with($text, self::SECRET);
        $key = base64_decode(substr($text, strlen($isSecret ? self::SECRET : self::PUBLIC_KEY)), true);
        $isPublicKey = str_starts_with($text, self::PUBLIC_KEY) && strlen((string) $key) === SODIUM_CRYPTO_SIGN_PUBLICKEYBYTES;
        if ((string) $key === '' || (!$isSecret && !$isPublicKey)) {
            throw new \InvalidArgumentException('A webhook key is whsec_ or whpk_, and base64');
        }
        return ['version' => $isSecret ? 'v1' : 'v1a', 'key' => (string) $key];
    }
}
