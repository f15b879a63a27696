<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Acquirer
{
    public function __construct(
        public string $name,
        public string $display_name,
        /**
         * Fields of an account’s credentials, in the order of a form
         * @var list<AcquirerCredential>
         */
        public array $credentials,
        /** @var list<AcquirerCapabilitie> */
        public array $capabilities,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            name: $data['name'],
            display_name: $data['display_name'],
            credentials: array_map(AcquirerCredential::fromArray(...), $data['credentials']),
            capabilities: array_map(AcquirerCapabilitie::fromArray(...), $data['capabilities']),
        );
    }
}
