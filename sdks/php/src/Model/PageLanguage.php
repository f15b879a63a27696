<?php

// Generated from the OpenAPI document (src/api) by `npm run generate`: do not edit.

declare(strict_types=1);

namespace Paylatch\Model;

/**
 * Initial language of the payment page, as a BCP 47 tag; the browser’s language by default. The payer
 * can choose another
 */
final class PageLanguage
{
    public const AR = 'ar';
    public const BG = 'bg';
    public const BN = 'bn';
    public const CA = 'ca';
    public const CS = 'cs';
    public const DA = 'da';
    public const DE = 'de';
    public const EL = 'el';
    public const EN = 'en';
    public const ES = 'es';
    public const ET = 'et';
    public const FA = 'fa';
    public const FI = 'fi';
    public const FIL = 'fil';
    public const FR = 'fr';
    public const GU = 'gu';
    public const HA = 'ha';
    public const HE = 'he';
    public const HI = 'hi';
    public const HR = 'hr';
    public const HU = 'hu';
    public const ID = 'id';
    public const IG = 'ig';
    public const IT = 'it';
    public const JA = 'ja';
    public const KN = 'kn';
    public const KO = 'ko';
    public const LT = 'lt';
    public const LV = 'lv';
    public const ML = 'ml';
    public const MR = 'mr';
    public const MS = 'ms';
    public const NB = 'nb';
    public const NL = 'nl';
    public const PA = 'pa';
    public const PL = 'pl';
    public const PT = 'pt';
    public const RO = 'ro';
    public const RU = 'ru';
    public const SK = 'sk';
    public const SL = 'sl';
    public const SR = 'sr';
    public const SV = 'sv';
    public const SW = 'sw';
    public const TA = 'ta';
    public const TE = 'te';
    public const TH = 'th';
    public const TR = 'tr';
    public const UK = 'uk';
    public const UR = 'ur';
    public const VI = 'vi';
    public const YO = 'yo';
    public const ZH_HANS = 'zh-Hans';
    public const ZH_HANT = 'zh-Hant';
}
