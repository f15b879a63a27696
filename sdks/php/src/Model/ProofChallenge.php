<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ProofChallenge
{
    public function __construct(
        public string $seed,
        public int $iterations,
        public int $most,
        /** 128 bits in base64url */
        public string $digest,
        /** Return it with the number */
        public string $token,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            seed: $data['seed'],
            iterations: $data['iterations'],
            most: $data['most'],
            digest: $data['digest'],
            token: $data['token'],
        );
    }
}
