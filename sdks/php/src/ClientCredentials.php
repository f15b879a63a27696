<?php

declare(strict_types=1);

namespace Paylatch;

/**
 * Gets access tokens with the client credentials grant (RFC 6749, section 4.4) and reuses each until it expires
 * or the service rejects it: `new Paylatch($url, new ClientCredentials($url, $id, $secret))`.
 *
 * A PHP request usually ends before its token does. To share a token between requests, keep it in a cache and pass a
 * function that reads it as `token`.
 */
final class ClientCredentials
{
    /** Seconds before expiry at which a token is replaced: requests take time, and clocks differ. */
    private const EXPIRY_MARGIN = 60;
    private const TIMEOUT = 30.0;

    private string $token = '';
    private float $expiresAt = -INF;

    /** @param string|null $scope Scopes, separated by spaces; by default all scopes of the client */
    public function __construct(
        private readonly string $baseUrl,
        private readonly string $clientId,
        #[\SensitiveParameter] private readonly string $clientSecret,
        private readonly ?string $scope = null,
    ) {}

    public function __invoke(): string
    {
        if (self::seconds() >= $this->expiresAt) {
            $form = ['grant_type' => 'client_credentials'];
            $body = http_build_query($this->scope === null ? $form : $form + ['scope' => $this->scope]);
            // RFC 6749, section 2.3.1. A proxy can route by this header, but not by the body.
            $credentials = rawurlencode($this->clientId) . ':' . rawurlencode($this->clientSecret);
            $headers = [
                'authorization' => 'Basic ' . base64_encode($credentials),
                'content-type' => 'application/x-www-form-urlencoded',
            ];
            $url = Connection::checkedUrl($this->baseUrl) . '/oauth/token';
            $granted = (new Connection())->send('POST', $url, $headers, $body, self::TIMEOUT);
            $this->token = $granted['access_token'];
            $this->expiresAt = self::seconds() + $granted['expires_in'] - self::EXPIRY_MARGIN;
        }
        return $this->token;
    }

    /** Called by the client if the service rejects the token. */
    public function forget(): void
    {
        $this->expiresAt = -INF;
    }

    private static function seconds(): float
    {
        return hrtime(true) / 1e9;
    }
}
