package paylatch

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/url"
	"time"
)

// Time before expiry at which a token is replaced: requests take time, and clocks differ.
const expiryMargin = time.Minute

const tokenTimeout = 30 * time.Second

// ClientCredentials are the credentials of an OAuth client.
type ClientCredentials struct {
	BaseURL, ClientID, ClientSecret string
	// Scope lists scopes, separated by spaces. Default: all scopes of the client.
	Scope string
	// Transport sends the requests. Default: http.DefaultTransport.
	Transport http.RoundTripper
}

// TokenSource gets access tokens with the client credentials grant (RFC 6749, section 4.4) and reuses each until it
// expires or the service rejects it.
func (credentials ClientCredentials) TokenSource() TokenSource {
	client := newHTTPClient(credentials.Transport)
	form := url.Values{"grant_type": {"client_credentials"}}
	if credentials.Scope != "" {
		form.Set("scope", credentials.Scope)
	}
	// Holds the lock of the current token. A channel, so that callers can stop waiting.
	lock := make(chan struct{}, 1)
	var token string
	var expiresAt time.Time
	return func(ctx context.Context) (string, error) {
		base, err := checkedURL(credentials.BaseURL)
		if err != nil {
			return "", err
		}
		// Concurrent callers share one token request.
		select {
		case lock <- struct{}{}:
			defer func() { <-lock }()
		case <-ctx.Done():
			return "", ctx.Err()
		}
		if time.Now().Before(expiresAt) && token != ctx.Value(rejectedToken{}) {
			return token, nil
		}
		var granted struct {
			AccessToken string `json:"access_token"`
			ExpiresIn   int64  `json:"expires_in"`
		}
		// RFC 6749, section 2.3.1. A proxy can route by this header, but not by the body.
		pair := url.QueryEscape(credentials.ClientID) + ":" + url.QueryEscape(credentials.ClientSecret)
		header := http.Header{
			"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(pair))},
			"Content-Type":  {"application/x-www-form-urlencoded"},
		}
		asked := request{http.MethodPost, base + "/oauth/token", header, []byte(form.Encode()), tokenTimeout}
		if err := send(ctx, client, asked, &granted); err != nil {
			return "", err
		}
		token = granted.AccessToken
		expiresAt = time.Now().Add(time.Duration(granted.ExpiresIn)*time.Second - expiryMargin)
		return token, nil
	}
}
