<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

final readonly class Statistics
{
    public function __construct(
        public \DateTimeImmutable $since,
        /** Exclusive */
        public \DateTimeImmutable $till,
        public string $time_zone,
        /**
         * By currency of the transactions, most transactions first
         * @var list<StatisticsCurrencie>
         */
        public array $currencies,
        public StatisticsTotal $total,
        /**
         * Every day of the period, including days without transactions
         * @var list<StatisticsDay>
         */
        public array $days,
        /**
         * The 24 hours of the day
         * @var list<StatisticsHour>
         */
        public array $hours,
        /**
         * Most transactions first
         * @var list<StatisticsMethod>
         */
        public array $methods,
        /**
         * By the buyer’s detected country, or by the transaction’s country if unknown; most transactions first
         * @var list<StatisticsCountrie>
         */
        public array $countries,
        /**
         * Failure reasons, most frequent first
         * @var list<StatisticsFailure>
         */
        public array $failures,
        /** Currently pending reviews and failures, regardless of the period; each counted up to 1000 */
        public StatisticsWaiting $waiting,
    ) {}

    /** @param array<string, mixed> $data */
    public static function fromArray(array $data): self
    {
        return new self(
            since: new \DateTimeImmutable($data['since']),
            till: new \DateTimeImmutable($data['till']),
            time_zone: $data['time_zone'],
            currencies: array_map(StatisticsCurrencie::fromArray(...), $data['currencies']),
            total: StatisticsTotal::fromArray($data['total']),
            days: array_map(StatisticsDay::fromArray(...), $data['days']),
            hours: array_map(StatisticsHour::fromArray(...), $data['hours']),
            methods: array_map(StatisticsMethod::fromArray(...), $data['methods']),
            countries: array_map(StatisticsCountrie::fromArray(...), $data['countries']),
            failures: array_map(StatisticsFailure::fromArray(...), $data['failures']),
            waiting: StatisticsWaiting::fromArray($data['waiting']),
        );
    }
}
