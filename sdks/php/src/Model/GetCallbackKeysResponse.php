<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class GetCallbackKeysResponse
{
    public function __construct(
        /** The `merchant_id` in the `data` of your webhooks */
        public int $merchant_id,
        /** Public URL of `keys`, without authentication */
        public string $url,
        /**
         * Verify the `v1a` signatures of your webhooks. They do not verify webhooks of other merchants
         * @var list<GetCallbackKeysResponseKey>
         */
        public array $keys,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            merchant_id: $data['merchant_id'],
            url: $data['url'],
            keys: array_map(GetCallbackKeysResponseKey::fromArray(...), $data['keys']),
        );
    }
}
