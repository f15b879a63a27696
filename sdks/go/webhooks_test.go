package paylatch

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

const now = 1_795_510_800

var (
	secret = "whsec_" + base64.StdEncoding.EncodeToString([]byte("a secret of the merchant"))
	other  = "whsec_" + base64.StdEncoding.EncodeToString([]byte("another secret"))
)

func event(fields string) []byte {
	data := `"merchant_id":1,"transaction_id":"order-1","sequence":1`
	if fields != "" {
		// The last of equal names counts.
		data += "," + fields
	}
	return []byte(`{"type":"fiat.transaction.updated","timestamp":"2026-11-21T09:00:00.000123Z","data":{` + data + `}}`)
}

func sign(body []byte, id, at, with string) http.Header {
	key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(with, "whsec_"))
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, at, body)
	header := http.Header{}
	header.Set("webhook-id", id)
	header.Set("webhook-timestamp", at)
	header.Set("webhook-signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	return header
}

func signed(body []byte, id string) http.Header {
	return sign(body, id, strconv.Itoa(now), secret)
}

func verifier(t *testing.T, keys ...string) *WebhookVerifier {
	t.Helper()
	verifier, err := NewWebhookVerifier(1, keys...)
	if err != nil {
		t.Fatal(err)
	}
	verifier.Now = func() time.Time { return time.Unix(now, 0) }
	return verifier
}

func with(header http.Header, name, value string) http.Header {
	changed := header.Clone()
	changed.Set(name, value)
	return changed
}

func TestVerifyReturnsTheEvent(t *testing.T) {
	body := event(`"amount":12.34`)
	received, err := verifier(t, secret).Verify(signed(body, "evt_1"), body)
	if err != nil {
		t.Fatal(err)
	}
	updated, ok := received.Value.(*FiatTransactionUpdatedWebhook)
	if !ok || updated.Data.Amount != 12.34 || updated.Timestamp.Nanosecond() != 123_000 {
		t.Fatalf("%+v", received.Value)
	}
	body = []byte(`{"type":"new.type","data":{"merchant_id":1}}`)
	received, err = verifier(t, secret).Verify(signed(body, "evt_1"), body)
	if raw, ok := received.Value.(json.RawMessage); err != nil || !ok || !bytes.Equal(raw, body) {
		t.Fatalf("%v %v", received, err)
	}
}

func TestVerifyAcceptsAnyOfSeveralKeysAndSignatures(t *testing.T) {
	body := event("")
	if _, err := verifier(t, secret, other).Verify(sign(body, "evt_1", strconv.Itoa(now), other), body); err != nil {
		t.Fatal(err)
	}
	public, private, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	key := "whpk_" + base64.StdEncoding.EncodeToString(public)
	text := append([]byte(fmt.Sprintf("evt_1.%d.", now)), body...)
	both := signed(body, "evt_1")
	asymmetric := "v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(private, text))
	both.Set("webhook-signature", both.Get("webhook-signature")+" "+asymmetric)
	if _, err := verifier(t, key).Verify(both, body); err != nil {
		t.Fatal(err)
	}
	if _, err := verifier(t, key).Verify(signed(body, "evt_1"), body); !errors.Is(err, ErrInvalidWebhook) {
		t.Fatal(err)
	}
}

func TestVerifyRejectsWhatIsNotSigned(t *testing.T) {
	body := event("")
	valid := signed(body, "evt_1")
	forged := map[string]http.Header{
		"no headers":                {},
		"no ID":                     with(valid, "webhook-id", ""),
		"another ID":                with(valid, "webhook-id", "evt_2"),
		"no signature":              with(valid, "webhook-signature", ""),
		"an empty signature":        with(valid, "webhook-signature", "v1,"),
		"not base64":                with(valid, "webhook-signature", "v1,Ä"),
		"another version":           with(valid, "webhook-signature", strings.Replace(valid.Get("webhook-signature"), "v1,", "v2,", 1)),
		"another secret":            sign(body, "evt_1", strconv.Itoa(now), other),
		"a time that is no number":  sign(body, "evt_1", "1e9", secret),
		"a time that is too large":  sign(body, "evt_1", "99999999999999999999", secret),
		"another time":              with(valid, "webhook-timestamp", strconv.Itoa(now+1)),
		"too old":                   sign(body, "evt_1", strconv.Itoa(now-301), secret),
		"from the future":           sign(body, "evt_1", strconv.Itoa(now+301), secret),
		"an empty asymmetric value": with(valid, "webhook-signature", "v1a,"),
	}
	for name, header := range forged {
		if _, err := verifier(t, secret).Verify(header, body); !errors.Is(err, ErrInvalidWebhook) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := verifier(t, secret).Verify(valid, event(`"amount":1`)); !errors.Is(err, ErrInvalidWebhook) {
		t.Error(err)
	}
	for _, at := range []int{now - 300, now + 300} {
		if _, err := verifier(t, secret).Verify(sign(body, "evt_1", strconv.Itoa(at), secret), body); err != nil {
			t.Error(err)
		}
	}
}

func TestVerifyRejectsWebhooksOfOtherMerchantsAndOtherBodies(t *testing.T) {
	bodies := [][]byte{event(`"merchant_id":2`), event(`"merchant_id":"1"`), nil, []byte("[]"), []byte("{}"), []byte(`{"data":[]}`)}
	for _, body := range bodies {
		if _, err := verifier(t, secret).Verify(signed(body, "evt_1"), body); !errors.Is(err, ErrInvalidWebhook) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

func TestNewWebhookVerifierRejectsKeysThatAreNone(t *testing.T) {
	for _, keys := range [][]string{{}, {""}, {"whsec_"}, {"secret"}, {"whsec_Ä"}, {"whpk_AAAA"}} {
		if _, err := NewWebhookVerifier(1, keys...); err == nil {
			t.Errorf("%v was accepted", keys)
		}
	}
}

// shop receives webhooks and reports the handled ones.
type shop struct {
	*WebhookReceiver
	t       *testing.T
	handled chan string
	failing map[string]bool
}

func newShop(t *testing.T, store WebhookStore) *shop {
	shop := &shop{t: t, handled: make(chan string, 10), failing: map[string]bool{}}
	shop.WebhookReceiver = NewWebhookReceiver(verifier(t, secret), store, func(_ context.Context, event *WebhookEvent) error {
		updated, ok := event.Value.(*FiatTransactionUpdatedWebhook)
		if !ok {
			shop.handled <- "another"
			return nil
		}
		name := fmt.Sprintf("%s %d", updated.Data.TransactionID, updated.Data.Sequence)
		if shop.failing[name] {
			delete(shop.failing, name)
			panic("the database is down")
		}
		shop.handled <- name
		return nil
	})
	shop.RetryDelay = func(int) time.Duration { return time.Millisecond }
	shop.Log = t.Logf
	return shop
}

func (s *shop) send(id string, body []byte) {
	s.t.Helper()
	if status := s.post(signed(body, id), body); status != http.StatusNoContent {
		s.t.Fatalf("status %d", status)
	}
}

func (s *shop) post(header http.Header, body []byte) int {
	request := httptest.NewRequest(http.MethodPost, "/webhooks", bytes.NewReader(body))
	request.Header = header
	response := httptest.NewRecorder()
	s.ServeHTTP(response, request)
	return response.Code
}

// run processes webhooks until stop is called.
func (s *shop) run() (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		_ = s.Run(ctx)
		close(ended)
	}()
	return func() { cancel(); <-ended }
}

func (s *shop) expect(names ...string) {
	s.t.Helper()
	for _, name := range names {
		select {
		case handled := <-s.handled:
			if handled != name {
				s.t.Fatalf("handled %s instead of %s", handled, name)
			}
		case <-time.After(10 * time.Second):
			s.t.Fatalf("%s was not handled", name)
		}
	}
}

func TestReceiverHandlesEachWebhookOnceAndInOrder(t *testing.T) {
	shop := newShop(t, nil)
	// Received before it runs, so that the order is certain.
	for _, sequence := range []int{3, 1, 2, 1} {
		shop.send(fmt.Sprintf("evt_%d", sequence), event(fmt.Sprintf(`"sequence":%d`, sequence)))
	}
	defer shop.run()()
	shop.expect("order-1 1", "order-1 2", "order-1 3")
	// Older than the last one, under an ID of its own.
	shop.send("evt_old", event(`"sequence":2`))
	shop.send("evt_4", event(`"sequence":4`))
	shop.expect("order-1 4")
}

func TestReceiverRepeatsAFailedHandlerBeforeLaterEvents(t *testing.T) {
	shop := newShop(t, nil)
	shop.failing["order-1 1"] = true
	shop.send("evt_1", event(""))
	shop.send("evt_2", event(`"sequence":2`))
	defer shop.run()()
	shop.expect("order-1 1", "order-1 2")
}

func TestReceiverHandlesAnEventWithoutAnOrderOnce(t *testing.T) {
	shop := newShop(t, nil)
	shop.lanes = shop.lanes[:1]
	defer shop.run()()
	body := []byte(`{"type":"callback.test","timestamp":"2026-11-21T09:00:00Z","data":{"merchant_id":1}}`)
	shop.send("evt_1", body)
	shop.expect("another")
	// Not received for the first time: only the other one is handled.
	shop.send("evt_1", body)
	shop.send("evt_2", event(""))
	shop.expect("order-1 1")
}

func TestReceiverResumesWithPendingWebhooks(t *testing.T) {
	store := NewMemoryStore()
	newShop(t, store).send("evt_1", event(""))
	shop := newShop(t, store)
	stop := shop.run()
	shop.expect("order-1 1")
	stop()
	if pending, _ := store.Pending(context.Background()); len(pending) != 0 {
		t.Fatalf("pending: %v", pending)
	}
}

func TestReceiverRejectsOtherRequests(t *testing.T) {
	shop := newShop(t, nil)
	body := event("")
	if status := shop.post(signed(event(`"amount":1`), "evt_1"), body); status != http.StatusUnauthorized {
		t.Errorf("forged: status %d", status)
	}
	long := bytes.Repeat([]byte("a"), maxBody+1)
	if status := shop.post(signed(long, "evt_1"), long); status != http.StatusRequestEntityTooLarge {
		t.Errorf("too long: status %d", status)
	}
	shop.store = brokenStore{}
	if status := shop.post(signed(body, "evt_1"), body); status != http.StatusInternalServerError {
		t.Errorf("not stored: status %d", status)
	}
}

type brokenStore struct{ WebhookStore }

func (brokenStore) Add(context.Context, StoredWebhook) (bool, error) {
	return false, errors.New("the database is down")
}

func TestToStoreOrdersDisputesApartFromTheirPayment(t *testing.T) {
	bodies := map[string]string{
		string(event("")): "fiat.transaction.:order-1",
		`{"type":"fiat.dispute.created","data":{"transaction_id":"order-1","number":1,"sequence":6}}`: "fiat.dispute.:order-1:1",
		`{"type":"crypto.withdrawal.updated","data":{"id":"wd_1","sequence":1}}`:                      "crypto.withdrawal.:wd_1",
		`{"type":"callback.url_changed","data":{"sequence":1}}`:                                       "",
		`{"type":"callback.test","data":{}}`:                                                          "",
	}
	for body, subject := range bodies {
		if stored := toStore("evt_1", []byte(body)); stored.Subject != subject {
			t.Errorf("%s: %q", body, stored.Subject)
		}
	}
}

func TestNullableFields(t *testing.T) {
	texts := map[string]AddWebhookEndpointInput{
		`{"url":"u"}`:                             {URL: "u"},
		`{"url":"u","description":null}`:          {URL: "u", Description: Null[string]()},
		`{"url":"u","description":"Bookkeeping"}`: {URL: "u", Description: Value("Bookkeeping")},
		`{"url":"u","event_types":[]}`:            {URL: "u", EventTypes: Value([]string{})},
	}
	for text, input := range texts {
		if encoded, err := json.Marshal(input); err != nil || string(encoded) != text {
			t.Errorf("%s: %s, %v", text, encoded, err)
		}
	}
}

func TestMemoryStoreForgetsTheOldest(t *testing.T) {
	store := NewMemoryStore()
	for i := 0; i <= maxRemembered; i++ {
		webhook := StoredWebhook{ID: strconv.Itoa(i), Subject: strconv.Itoa(i), Sequence: 1}
		if isNew, _ := store.Add(context.Background(), webhook); !isNew {
			t.Fatalf("%d is not new", i)
		}
		_ = store.MarkProcessed(context.Background(), webhook)
	}
	if sizes := []int{len(store.ids), len(store.sequences)}; !reflect.DeepEqual(sizes, []int{maxRemembered, maxRemembered}) {
		t.Fatal(sizes)
	}
}
