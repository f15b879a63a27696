<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Logo
{
    public function __construct(
        /** Public URL of the PNG image. It changes with the image */
        public string $url,
        /** Pixels, at most 256 */
        public int $width,
        /** Pixels, at most 256 */
        public int $height,
        public \DateTimeImmutable $uploaded_at,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            url: $data['url'],
            width: $data['width'],
            height: $data['height'],
            uploaded_at: new \DateTimeImmutable($data['uploaded_at']),
        );
    }
}
