<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class ChargeDetails
{
    public function __construct(
        /** The issuer’s authorization code */
        public ?string $authorization_code = null,
        /** Response code of the card network, such as `51` */
        public ?string $network_code = null,
        /** Merchant advice code of the network: with `03` or `21`, do not charge this card again */
        public ?string $merchant_advice_code = null,
        /** Result of the address check (AVS), as reported by the acquirer */
        public ?string $avs_result = null,
        /** Result of the security code check (CVV), as reported by the acquirer */
        public ?string $cvv_result = null,
        /** Acquirer reference number, with which the payer’s bank can trace the payment */
        public ?string $arn = null,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            authorization_code: $data['authorization_code'] ?? null,
            network_code: $data['network_code'] ?? null,
            merchant_advice_code: $data['merchant_advice_code'] ?? null,
            avs_result: $data['avs_result'] ?? null,
            cvv_result: $data['cvv_result'] ?? null,
            arn: $data['arn'] ?? null,
        );
    }
}
