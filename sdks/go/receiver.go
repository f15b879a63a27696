package paylatch

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"log"
	"net/http"
	"sort"
	"strings"
	"sync"
	"time"
)

const (
	maxBody          = 1 << 20
	maxRemembered    = 100_000
	receiverWorkers  = 4
	maxHandlerDelay  = 5 * time.Minute
	firstHandleDelay = time.Second
)

// StoredWebhook is a verified webhook. Those of one Subject, such as a payment, are processed by Sequence.
type StoredWebhook struct {
	ID string
	// Subject is empty if the event has no order.
	Subject  string
	Sequence int64
	Body     []byte
}

// WebhookStore remembers webhooks. Goroutines share a store. Keep it in your database, so that no acknowledged webhook
// is lost.
type WebhookStore interface {
	// Add stores a webhook; it returns false if its ID is already known.
	Add(ctx context.Context, webhook StoredWebhook) (bool, error)
	// Pending returns the webhooks that are not processed yet.
	Pending(ctx context.Context) ([]StoredWebhook, error)
	// LastSequence returns the highest processed sequence of a subject; 0 if there is none.
	LastSequence(ctx context.Context, subject string) (int64, error)
	// MarkProcessed marks a webhook as processed. Keep its ID for as long as the service may send it again.
	MarkProcessed(ctx context.Context, webhook StoredWebhook) error
}

// MemoryStore keeps webhooks in memory: those that are not processed when the process ends are lost. Catch up with
// Client.FollowEvents, or implement WebhookStore with your database.
type MemoryStore struct {
	lock      sync.Mutex
	ids       map[string]bool
	order     []string
	pending   map[string]StoredWebhook
	sequences map[string]int64
	subjects  []string
}

// NewMemoryStore returns an empty store. It remembers the last 100,000 webhooks and subjects.
func NewMemoryStore() *MemoryStore {
	return &MemoryStore{ids: map[string]bool{}, pending: map[string]StoredWebhook{}, sequences: map[string]int64{}}
}

// Add implements WebhookStore.
func (s *MemoryStore) Add(_ context.Context, webhook StoredWebhook) (bool, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.ids[webhook.ID] {
		return false, nil
	}
	s.ids[webhook.ID] = true
	s.pending[webhook.ID] = webhook
	if s.order = append(s.order, webhook.ID); len(s.order) > maxRemembered {
		delete(s.ids, s.order[0])
		s.order = s.order[1:]
	}
	return true, nil
}

// Pending implements WebhookStore.
func (s *MemoryStore) Pending(context.Context) ([]StoredWebhook, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	webhooks := make([]StoredWebhook, 0, len(s.pending))
	for _, webhook := range s.pending {
		webhooks = append(webhooks, webhook)
	}
	return webhooks, nil
}

// LastSequence implements WebhookStore.
func (s *MemoryStore) LastSequence(_ context.Context, subject string) (int64, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.sequences[subject], nil
}

// MarkProcessed implements WebhookStore.
func (s *MemoryStore) MarkProcessed(_ context.Context, webhook StoredWebhook) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	delete(s.pending, webhook.ID)
	if webhook.Subject == "" {
		return nil
	}
	last, isKnown := s.sequences[webhook.Subject]
	if webhook.Sequence > last {
		s.sequences[webhook.Subject] = webhook.Sequence
	}
	if !isKnown {
		if s.subjects = append(s.subjects, webhook.Subject); len(s.subjects) > maxRemembered {
			delete(s.sequences, s.subjects[0])
			s.subjects = s.subjects[1:]
		}
	}
	return nil
}

// WebhookReceiver is an http.Handler that acknowledges webhooks quickly; Run processes them.
//
//   - A webhook that was received before is acknowledged and not processed again.
//   - Events of one payment, dispute, crypto transaction or withdrawal are processed one after another, in order. An
//     event that is older than the last processed one is skipped, because each event contains the whole state.
//   - If Handle fails, it runs again later; later events of the same payment wait for it.
//
// Start one receiver per store.
type WebhookReceiver struct {
	// RetryDelay is the delay before Handle runs again. Default: 1 s, 2 s, 4 s … up to 5 minutes.
	RetryDelay func(attempt int) time.Duration
	// Log reports rejected webhooks and failures. Default: log.Printf.
	Log func(format string, values ...any)

	verifier *WebhookVerifier
	store    WebhookStore
	handle   func(context.Context, *WebhookEvent) error
	lanes    []*lane
}

// NewWebhookReceiver returns a receiver that passes events to handle. A nil store is a MemoryStore.
func NewWebhookReceiver(verifier *WebhookVerifier, store WebhookStore, handle func(context.Context, *WebhookEvent) error) *WebhookReceiver {
	if store == nil {
		store = NewMemoryStore()
	}
	receiver := &WebhookReceiver{RetryDelay: handlerDelay, Log: log.Printf, verifier: verifier, store: store, handle: handle}
	for i := 0; i < receiverWorkers; i++ {
		receiver.lanes = append(receiver.lanes, &lane{queues: map[string]*queue{}, changed: make(chan struct{}, 1)})
	}
	return receiver
}

func handlerDelay(attempt int) time.Duration {
	if delay := firstHandleDelay << attempt; attempt < 16 && delay < maxHandlerDelay {
		return delay
	}
	return maxHandlerDelay
}

// ServeHTTP verifies and stores a webhook.
func (r *WebhookReceiver) ServeHTTP(response http.ResponseWriter, request *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(response, request.Body, maxBody))
	if err != nil {
		response.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	if _, err := r.verifier.Verify(request.Header, body); err != nil {
		r.Log("Rejected a webhook: %v", err)
		response.WriteHeader(http.StatusUnauthorized)
		return
	}
	webhook := toStore(request.Header.Get("Webhook-Id"), body)
	isNew, err := r.store.Add(request.Context(), webhook)
	if err != nil {
		// The service sends it again.
		r.Log("Storing webhook %s failed: %v", webhook.ID, err)
		response.WriteHeader(http.StatusInternalServerError)
		return
	}
	if isNew {
		r.enqueue(webhook)
	}
	response.WriteHeader(http.StatusNoContent)
}

// Run processes webhooks until ctx is done, those first that the store has not processed yet. It returns after the
// events that are being processed.
func (r *WebhookReceiver) Run(ctx context.Context) error {
	pending, err := r.store.Pending(ctx)
	if err != nil {
		return err
	}
	for _, webhook := range pending {
		r.enqueue(webhook)
	}
	var running sync.WaitGroup
	for _, each := range r.lanes {
		running.Add(1)
		go func(lane *lane) {
			defer running.Done()
			r.process(ctx, lane)
		}(each)
	}
	running.Wait()
	return ctx.Err()
}

func (r *WebhookReceiver) enqueue(webhook StoredWebhook) {
	// One lane per subject keeps the order.
	r.lanes[crc32.ChecksumIEEE([]byte(webhook.key()))%uint32(len(r.lanes))].add(webhook)
}

func (r *WebhookReceiver) process(ctx context.Context, lane *lane) {
	for ctx.Err() == nil {
		webhook, delay := lane.next(time.Now())
		if webhook == nil {
			timer := time.NewTimer(delay)
			select {
			case <-lane.changed:
			case <-timer.C:
			case <-ctx.Done():
			}
			timer.Stop()
			continue
		}
		if err := r.processOne(ctx, *webhook); err != nil {
			r.Log("Processing webhook %s failed: %v", webhook.ID, err)
			lane.postpone(*webhook, r.RetryDelay)
		} else {
			lane.remove(*webhook)
		}
	}
}

func (r *WebhookReceiver) processOne(ctx context.Context, webhook StoredWebhook) (err error) {
	defer func() {
		if recovered := recover(); recovered != nil {
			err = fmt.Errorf("panic: %v", recovered)
		}
	}()
	isNewest := true
	if webhook.Subject != "" {
		last, err := r.store.LastSequence(ctx, webhook.Subject)
		if err != nil {
			return err
		}
		isNewest = webhook.Sequence > last
	}
	if isNewest {
		event := new(WebhookEvent)
		if err := json.Unmarshal(webhook.Body, event); err != nil {
			return err
		}
		if err := r.handle(ctx, event); err != nil {
			return err
		}
	}
	return r.store.MarkProcessed(ctx, webhook)
}

func (webhook StoredWebhook) key() string {
	if webhook.Subject == "" {
		return webhook.ID
	}
	return webhook.Subject
}

func toStore(id string, body []byte) StoredWebhook {
	var event struct {
		Type string `json:"type"`
		Data struct {
			TransactionID *string `json:"transaction_id"`
			ID            *string `json:"id"`
			Number        *int64  `json:"number"`
			Sequence      int64   `json:"sequence"`
		} `json:"data"`
	}
	webhook := StoredWebhook{ID: id, Body: body}
	identity := &event.Data.TransactionID
	if json.Unmarshal(body, &event) != nil {
		return webhook
	}
	if *identity == nil {
		identity = &event.Data.ID
	}
	if *identity == nil || event.Data.Sequence == 0 {
		return webhook
	}
	// fiat.dispute and fiat.transaction have different data, so neither replaces the other.
	kind := event.Type[:strings.LastIndex(event.Type, ".")+1]
	webhook.Subject, webhook.Sequence = kind+":"+**identity, event.Data.Sequence
	if event.Data.Number != nil {
		webhook.Subject += fmt.Sprintf(":%d", *event.Data.Number)
	}
	return webhook
}

// lane processes the events of some subjects one after another.
type lane struct {
	lock    sync.Mutex
	queues  map[string]*queue
	changed chan struct{}
}

// queue has the pending webhooks of one subject by sequence, and the failures of the first.
type queue struct {
	webhooks []StoredWebhook
	attempts int
	due      time.Time
}

func (l *lane) add(webhook StoredWebhook) {
	l.lock.Lock()
	defer l.lock.Unlock()
	waiting := l.queues[webhook.key()]
	if waiting == nil {
		waiting = &queue{}
		l.queues[webhook.key()] = waiting
	}
	for _, each := range waiting.webhooks {
		// The store's pending webhooks may include one that has just arrived.
		if each.ID == webhook.ID {
			return
		}
	}
	waiting.webhooks = append(waiting.webhooks, webhook)
	sort.SliceStable(waiting.webhooks, func(i, j int) bool {
		return waiting.webhooks[i].Sequence < waiting.webhooks[j].Sequence
	})
	select {
	case l.changed <- struct{}{}:
	default:
	}
}

// next returns a webhook that is due, or the delay until one is.
func (l *lane) next(now time.Time) (*StoredWebhook, time.Duration) {
	l.lock.Lock()
	defer l.lock.Unlock()
	delay := time.Hour
	for _, waiting := range l.queues {
		if !waiting.due.After(now) {
			first := waiting.webhooks[0]
			return &first, 0
		}
		if until := waiting.due.Sub(now); until < delay {
			delay = until
		}
	}
	return nil, delay
}

func (l *lane) postpone(webhook StoredWebhook, delay func(int) time.Duration) {
	l.lock.Lock()
	defer l.lock.Unlock()
	waiting := l.queues[webhook.key()]
	waiting.due = time.Now().Add(delay(waiting.attempts))
	waiting.attempts++
}

func (l *lane) remove(webhook StoredWebhook) {
	l.lock.Lock()
	defer l.lock.Unlock()
	waiting := l.queues[webhook.key()]
	for i, each := range waiting.webhooks {
		if each.ID == webhook.ID {
			waiting.webhooks = append(waiting.webhooks[:i], waiting.webhooks[i+1:]...)
			break
		}
	}
	waiting.attempts, waiting.due = 0, time.Time{}
	if len(waiting.webhooks) == 0 {
		delete(l.queues, webhook.key())
	}
}
