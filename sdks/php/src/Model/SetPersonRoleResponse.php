<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class SetPersonRoleResponse
{
    public function __construct(
        /** @var list<Person> */
        public array $people,
        /** @var list<Invitation> */
        public array $invitations,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            people: array_map(Person::fromArray(...), $data['people']),
            invitations: array_map(Invitation::fromArray(...), $data['invitations']),
        );
    }
}
