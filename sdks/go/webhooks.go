package paylatch

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	secretPrefix     = "whsec_"
	publicKeyPrefix  = "whpk_"
	webhookTolerance = 5 * time.Minute
)

// ErrInvalidWebhook is wrapped by the errors of WebhookVerifier.Verify: the request is not a valid webhook of the
// merchant. Respond with status 401.
var ErrInvalidWebhook = errors.New("paylatch: not a valid webhook")

// WebhookVerifier verifies webhooks (Standard Webhooks).
type WebhookVerifier struct {
	// Tolerance is the greatest difference between the time of a webhook and the clock. Default: 5 minutes.
	Tolerance time.Duration
	// Now returns the current time. Default: time.Now.
	Now func() time.Time

	merchantID int64
	secrets    [][]byte
	publicKeys []ed25519.PublicKey
}

// NewWebhookVerifier returns a verifier for the webhooks of one merchant. Keys are webhook secrets (whsec_…), several
// while you rotate them, or public keys (whpk_…). A webhook for another merchant is rejected.
func NewWebhookVerifier(merchantID int64, keys ...string) (*WebhookVerifier, error) {
	verifier := &WebhookVerifier{Tolerance: webhookTolerance, Now: time.Now, merchantID: merchantID}
	for _, key := range keys {
		isPublic := strings.HasPrefix(key, publicKeyPrefix)
		if !isPublic && !strings.HasPrefix(key, secretPrefix) {
			return nil, errors.New("paylatch: a webhook key is whsec_ or whpk_, and base64")
		}
		decoded, err := base64.StdEncoding.DecodeString(key[strings.Index(key, "_")+1:])
		if err != nil || len(decoded) == 0 || (isPublic && len(decoded) != ed25519.PublicKeySize) {
			return nil, errors.New("paylatch: a webhook key is whsec_ or whpk_, and base64")
		}
		if isPublic {
			verifier.publicKeys = append(verifier.publicKeys, decoded)
		} else {
			verifier.secrets = append(verifier.secrets, decoded)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("paylatch: at least one webhook secret is required")
	}
	return verifier, nil
}

// Verify returns the event. The body is the request's body as received, before it is parsed.
func (v *WebhookVerifier) Verify(header http.Header, body []byte) (*WebhookEvent, error) {
	id, sentAt := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	seconds, err := strconv.ParseUint(sentAt, 10, 40)
	if id == "" || err != nil {
		return nil, fmt.Errorf("%w: the headers are missing or not valid", ErrInvalidWebhook)
	}
	difference := v.Now().Sub(time.Unix(int64(seconds), 0))
	if difference > v.Tolerance || difference < -v.Tolerance {
		return nil, fmt.Errorf("%w: too old, or from the future; check the clock", ErrInvalidWebhook)
	}
	signed := append([]byte(id+"."+sentAt+"."), body...)
	if !v.isSigned(signed, header.Get("Webhook-Signature")) {
		return nil, fmt.Errorf("%w: the signature is not valid; check the webhook secret", ErrInvalidWebhook)
	}
	var recipient struct {
		Data struct {
			MerchantID int64 `json:"merchant_id"`
		} `json:"data"`
	}
	event := new(WebhookEvent)
	if json.Unmarshal(body, &recipient) != nil || json.Unmarshal(body, event) != nil {
		return nil, fmt.Errorf("%w: the body is not an event", ErrInvalidWebhook)
	}
	if recipient.Data.MerchantID != v.merchantID {
		return nil, fmt.Errorf("%w: it is for merchant %d", ErrInvalidWebhook, recipient.Data.MerchantID)
	}
	return event, nil
}

func (v *WebhookVerifier) isSigned(signed []byte, header string) bool {
	isValid := false
	for _, signature := range strings.Split(header, " ") {
		version, text, _ := strings.Cut(signature, ",")
		decoded, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			continue
		}
		switch version {
		case "v1":
			for _, secret := range v.secrets {
				mac := hmac.New(sha256.New, secret)
				mac.Write(signed)
				isValid = hmac.Equal(mac.Sum(nil), decoded) || isValid
			}
		case "v1a":
			for _, key := range v.publicKeys {
				isValid = ed25519.Verify(key, signed, decoded) || isValid
			}
		}
	}
	return isValid
}
