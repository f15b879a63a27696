<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class WithdrawalDetailUnsigned
{
    public function __construct(
        /**
         * `psbt`: BIP 174 in base64; `eip1559`: unsigned EIP-2718 transaction of type 2 in hexadecimal
         * @var 'psbt'|'eip1559'
         */
        public string $format,
        public string $data,
        /** Address whose key signs it; null if each input has its own */
        public ?string $sender,
        /** Derivation path of that key, below the account’s */
        public ?string $path,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            format: $data['format'],
            data: $data['data'],
            sender: $data['sender'] ?? null,
            path: $data['path'] ?? null,
        );
    }
}
